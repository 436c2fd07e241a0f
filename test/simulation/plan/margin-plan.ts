import type { FaultRuleInput } from '../../../src/simulator/faults/fault-rule.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { declaredOf } from '../../bot/margin/margin-bot.ts'
import type { Traded } from '../world/bot-world.ts'
import { CHAOTIC_STRATEGIES, CHAOTIC_TRADERS } from './chaos.ts'
import type { SeedPlan } from './simulation-plan.ts'

/** The plan of a spot seed on a margin account that holds, and is declared to hold, what the spot account would; some of its strategies sell short. */
export function onMargin(plan: SeedPlan): SeedPlan {
  const balances = textsOf(plan.exchange.accounts?.[0]?.balances ?? {})
  const { faults = [] } = plan.exchange
  return {
    ...plan,
    kind: 'margin',
    // What a lost journal knew of a margin account, nobody can read anywhere.
    losesJournalAt: undefined,
    traded: plan.traded.map((one, index) => (index % 2 === 0 ? alsoShort(one) : one)),
    accounts: { margin: { balances: declaredOf(balances), foreignTrades: 'adopt' } },
    exchange: {
      ...plan.exchange,
      accounts: [{ ...TEST_ACCOUNT, balances: {}, marginBalances: balances }],
      // Whoever tried to borrow would be refused.
      margin: { maxLeverage: '1' },
      faults: faults.map(atMargin),
    },
    // What is moved in, nobody is told.
    others: plan.others.filter(({ type }) => type !== 'deposit'),
  }
}

/** The strategy of the same mood that sells short as well. */
export function alsoShort(traded: Traded): Traded {
  return {
    ...traded,
    strategy: CHAOTIC_TRADERS[CHAOTIC_STRATEGIES.indexOf(traded.strategy)] ?? traded.strategy,
  }
}

function textsOf(balances: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(balances).map(([asset, amount]) => [asset, String(amount)]))
}

/** A fault that strikes the calls of the margin account, where it strikes some of those that trade pairs. */
export function atMargin(rule: FaultRuleInput): FaultRuleInput {
  const { endpoint } = rule
  if (typeof endpoint !== 'string' || !endpoint.startsWith('/sapi/v2/')) return rule
  return { ...rule, endpoint: endpoint.replace('/sapi/v2/', '/sapi/v2/margin/') }
}

import type { SimulatorConfigInput } from '../../../src/simulator/simulator-config.ts'
import type { Traded } from '../world/bot-world.ts'
import { GUARDED_STRATEGIES, GUARDED_TRADERS } from './chaos.ts'
import { CONTRACT_DECLARERS, DECLARERS } from './declaring.ts'
import { withExamples } from './example-plans.ts'
import type { SeedPlan } from './simulation-plan.ts'

type Random = () => number

/** A plan in which some strategies are what users write, fees are now and then taken in a third asset, old copies of klines are read, and own trades are listed late. */
export function asUsersWrite(plan: SeedPlan, random: Random): SeedPlan {
  const [kind, paysElsewhere, readsOldKlines] = [random(), random() < 0.2, random() < 0.15]
  const losesJournal = random() < 0.12
  const traded = plan.traded.map(one => (kind < 0.5 && random() < 0.6 ? likeUsers(one, random) : one))
  const exchange = paysElsewhere ? withThirdAsset(plan.exchange, random) : plan.exchange
  const drawn = {
    ...plan,
    traded: distinct(kind < 0.25 ? withExamples(plan.traded, random) : traded),
    ...(losesJournal && plan.kind === 'spot' && { losesJournalAt: within(plan, random) }),
    exchange: readsOldKlines ? withOldKlines(exchange, plan) : exchange,
  }
  return random() < 0.1 ? { ...drawn, exchange: withLateTrades(drawn.exchange, plan, random) } : drawn
}

/** The same strategy once on a symbol: signals tell its name alone. */
function distinct(traded: readonly Traded[]): readonly Traded[] {
  return traded.filter(
    ({ strategy, symbol }, index) =>
      traded.findIndex(other => other.strategy === strategy && other.symbol === symbol) === index,
  )
}

function within({ startAt, troubleUntil }: SeedPlan, random: Random): number {
  return startAt + Math.floor((0.1 + 0.8 * random()) * (troubleUntil - startAt))
}

/** The same market in the hands of one who declares targets, or protects by everything there is. */
function likeUsers(one: Traded, random: Random): Traded {
  const declares = random() < 0.5
  const ofPairs = declares ? DECLARERS : GUARDED_STRATEGIES
  const ofContracts = declares ? CONTRACT_DECLARERS : GUARDED_TRADERS
  const strategies = one.symbol.includes('/') ? ofPairs : ofContracts
  const strategy = strategies[Math.floor(random() * strategies.length)] ?? one.strategy
  return { ...one, strategy, parameters: { seed: Math.floor(random() * 2 ** 31) } }
}

/** An account that pays its fees with another asset, a traded one among them, until there is too little of it. */
function withThirdAsset(exchange: SimulatorConfigInput, random: Random): SimulatorConfigInput {
  const asset = random() < 0.8 ? 'BNB' : 'SOL'
  const price = ['0.5', '7', '600'][Math.floor(random() * 3)] ?? '7'
  const held = ['0.001', '0.05', '50'][Math.floor(random() * 3)] ?? '50'
  const accounts = (exchange.accounts ?? []).map(account => ({
    ...account,
    balances: { ...account.balances, ...(asset === 'BNB' && { BNB: held }) },
    feesPaidWith: { asset, price },
  }))
  return { ...exchange, accounts }
}

function withOldKlines(
  exchange: SimulatorConfigInput,
  { startAt, troubleUntil, kind }: SeedPlan,
): SimulatorConfigInput {
  const endpoint = kind === 'futures' ? 'GET /fapi/v1/klines' : 'GET /sapi/v2/klines'
  const fault = { fault: 'staleRead', lagMs: 2400, endpoint, probability: 0.5 } as const
  return {
    ...exchange,
    faults: [...(exchange.faults ?? []), { ...fault, from: startAt, until: troubleUntil }],
  }
}

/** Own trades that are listed up to 20 s later than orders and balances, for some time: nothing promises that they come together. */
function withLateTrades(
  exchange: SimulatorConfigInput,
  plan: SeedPlan,
  random: Random,
): SimulatorConfigInput {
  const [from, lagMs] = [within(plan, random), 3000 + Math.floor(17_000 * random())]
  const times = { from, until: Math.min(plan.troubleUntil, from + 20_000 + Math.floor(120_000 * random())) }
  const endpoints = ['spotMyTradesV2', 'spotMyTradesV3', 'marginMyTrades', 'futuresMyTrades']
  const late = endpoints.map(endpoint => ({ fault: 'staleRead', lagMs, endpoint, ...times }) as const)
  return { ...exchange, faults: [...(exchange.faults ?? []), ...late] }
}

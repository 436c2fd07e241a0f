import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { declaredOf } from '../../bot/margin/margin-bot.ts'
import type { Traded } from '../world/bot-world.ts'
import { alsoShort, atMargin } from './margin-plan.ts'
import type { SeedPlan } from './simulation-plan.ts'

/** What the margin account holds: not as much as the spot account of any seed, so that neither passes for the other. */
const HELD = { USDT: '1500', BTC: '3', ETH: '3', SOL: '3' }
/** Traded on margin alone, so that its symbol need not say so. */
const ON_MARGIN_ALONE = 'SOL/USDT'

/**
 * The plan of a spot seed whose strategies trade on a spot and on a margin account: of those on one pair every other one, and
 * where a pair has only one, another of its kind beside it; a third pair is traded on margin alone. Every other fault, deed of
 * somebody else and command is about the margin account too. Who takes back orders of others halts where others trade on margin.
 */
export function besideMargin(plan: SeedPlan): SeedPlan {
  const { exchange, traded, others, commands } = plan
  const [account = TEST_ACCOUNT] = exchange.accounts ?? []
  const foreignTrades = plan.execution.foreignOrders === 'cancel' ? 'halt' : 'adopt'
  return {
    ...plan,
    kind: 'beside',
    // What a lost journal knew of a margin account, nobody can read anywhere.
    losesJournalAt: undefined,
    traded: [...Map.groupBy(traded, ({ symbol }) => symbol).values()].flatMap(onBoth),
    accounts: {
      spot: {},
      margin: { balances: declaredOf(HELD), foreignTrades, symbols: [ON_MARGIN_ALONE] },
    },
    exchange: {
      ...exchange,
      accounts: [{ ...account, marginBalances: HELD }],
      // Whoever tried to borrow would be refused.
      margin: { maxLeverage: '1' },
      faults: (exchange.faults ?? []).map((rule, index) => (isEven(index) ? rule : atMargin(rule))),
    },
    others: others
      .map((deed, index) => ({ ...deed, symbol: symbolAt(deed.symbol, index) }))
      // What is moved into a margin account, nobody is told.
      .filter(({ type, symbol }) => type !== 'deposit' || isOnSpot(symbol)),
    commands: commands.map(({ at, request }, index) => {
      const { symbol } = request
      return {
        at,
        request: { ...request, ...(symbol !== undefined && { symbol: symbolAt(symbol, index) }) },
      }
    }),
  }
}

/** The strategies on one pair, each on its account; those on margin also sell short. */
function onBoth(traded: readonly Traded[]): readonly Traded[] {
  const [first] = traded
  if (first === undefined) return []
  const all = traded.length > 1 || first.symbol === ON_MARGIN_ALONE ? traded : [first, anotherLike(first)]
  return all.map((one, index) => {
    const symbol = symbolAt(one.symbol, index)
    return isOnSpot(symbol) ? one : { ...alsoShort(one), symbol }
  })
}

function anotherLike(traded: Traded): Traded {
  const { seed } = traded.parameters
  if (seed === undefined) return traded
  return { ...traded, parameters: { ...traded.parameters, seed: Number(seed) + 1 } }
}

/** What every other one of several calls a pair: by its name on the spot account, or by that on the margin account. */
function symbolAt(pair: string, index: number): string {
  return pair === ON_MARGIN_ALONE || isEven(index) ? pair : `${pair}@margin`
}

function isOnSpot(symbol: string): boolean {
  return symbol !== ON_MARGIN_ALONE && !symbol.endsWith('@margin')
}

function isEven(index: number): boolean {
  return index % 2 === 0
}

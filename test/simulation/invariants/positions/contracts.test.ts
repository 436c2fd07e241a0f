import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BotState } from '../../../../src/bot/state/bot-state.ts'
import { restoreState } from '../../../../src/bot/state/restore-state.ts'
import type { EngineEvent } from '../../../../src/domain/events/engine-event.ts'
import { type Amount, amountOf } from '../../../../src/domain/numbers/amount.ts'
import { steps } from '../../../../src/domain/numbers/grid.ts'
import { TEST_ACCOUNT } from '../../../../src/simulator/simulator-config.ts'
import { defineStrategy, enterLong, enterShort, exit } from '../../../../src/strategy/index.ts'
import { flatMarket, MINUTE, START } from '../../../simulator/exchange-caller.ts'
import { ROUND_CONTRACT } from '../../../simulator/futures/futures-caller.ts'
import { told } from '../../invariants.ts'
import { BotWorld } from '../../world/bot-world.ts'
import { futuresAccountOf } from '../../world/futures-world.ts'
import { balancesAgree } from '../money/balances-agree.ts'
import { contractProfitAgrees } from '../money/contract-profit-agrees.ts'
import { fundingAgrees } from '../money/funding-agrees.ts'
import { liquidationsBookedOnce } from '../money/liquidations-booked-once.ts'
import { ordersAsAsked } from '../orders/orders-as-asked.ts'
import { pastOf } from '../past.ts'
import type { Rest, Violation } from '../scene.ts'
import { contractsHeldRightly } from './contracts-held-rightly.ts'
import { haltsAreDue } from './halts-are-due.ts'
import { positionsAgree } from './positions-agree.ts'

const SYMBOL = 'E-BTC-USDT'

/** Holds 10 contracts long and 7 short past a settlement of funding, and closes 4 of the longs. */
const hedger = defineStrategy({
  name: 'hedger',
  state: () => ({ row: 0 }),
  onKline: (_kline, { state }) =>
    [
      enterLong({ size: { base: 1 } }),
      enterShort({ size: { base: 0.7 } }),
      exit({ direction: 'long', fraction: 0.4 }),
    ][state.row++],
})

const world = new BotWorld({
  strategy: hedger,
  klines: [],
  startAt: START + 56 * MINUTE,
  traded: [{ strategy: hedger, parameters: {}, symbol: SYMBOL }],
  accounts: { futures: { leverage: 10, marginMode: 'isolated', positionMode: 'twoWay' } },
  exchange: {
    listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', klines: flatMarket(100, 90) } }],
    accounts: [{ ...TEST_ACCOUNT, balances: {}, futuresBalances: { USDT: '1000' } }],
    futures: { contracts: [{ ...ROUND_CONTRACT, fundingHours: 1, fundingRate: '0.001' }] },
  },
})

beforeAll(async () => {
  world.start()
  await world.run(6 * MINUTE)
  await world.leave(10_000)
})
afterAll(() => world.remove())

/** Books and exchange as the bot left them; books of its own for every test. */
async function rest(): Promise<Rest> {
  const state = new BotState(async () => hedger)
  await restoreState(world.journalPath, state)
  const { ledger } = state.engine
  return {
    ...{ ledger, user: world.user, futures: futuresAccountOf(world), othersPrefix: 'other' },
    ...{
      past: pastOf(ledger),
      instruments: state.session?.instruments ?? [],
      isPunctual: true,
      requests: [],
    },
    ...told(world.journalPath),
  }
}

const problemsIn = (violations: readonly Violation[]) => violations.map(({ problem }) => problem)

/** The same with events left out or added. */
async function restWith(change: (events: readonly EngineEvent[]) => readonly EngineEvent[]): Promise<Rest> {
  const whole = await rest()
  return { ...whole, events: change(whole.events ?? []) }
}

describe('of contracts, an invariant finds', () => {
  it('nothing where books and exchange agree', async () => {
    const quiet = await rest()
    const all = [
      ...[balancesAgree, positionsAgree, fundingAgrees, liquidationsBookedOnce, contractProfitAgrees],
      ...[contractsHeldRightly, ordersAsAsked],
    ]
    expect(all.flatMap(invariant => invariant(quiet))).toEqual([])
    expect(
      futuresAccountOf(world)
        .positions()
        .map(({ volume }) => volume),
    ).toEqual([6, 7])
  })

  it('a wallet that differs by the least there is', async () => {
    const wrong = await rest()
    const wallet = wrong.ledger.balances.in('futures')
    wallet.set('USDT', (wallet.of('USDT') + 1n) as Amount) // an amount plus one is one
    expect(problemsIn(balancesAgree(wrong))).toEqual([expect.stringMatching(/^USDT is 99\d\./)])
  })

  it('a position of another size, and one with another margin', async () => {
    const wrong = await rest()
    wrong.ledger.contracts.setMargin(`${SYMBOL}:long`, amountOf('5'))
    expect(problemsIn(positionsAgree(wrong))).toEqual([
      expect.stringMatching(/^E-BTC-USDT long: has a margin of 5\.9/),
    ])
    const [, short] = futuresAccountOf(world).positions()
    if (short === undefined) throw new Error('Nothing is held short.')
    short.volume = steps(8)
    expect(problemsIn(positionsAgree(await rest()))).toEqual([
      'E-BTC-USDT short: the books hold 7 contracts, the exchange 8',
    ])
    short.volume = steps(7)
  })

  it('funding that is not booked, or twice', async () => {
    const isFunding = ({ type }: EngineEvent) => type === 'fundingPaid'
    const less = await restWith(events => events.filter(event => !isFunding(event)))
    const more = await restWith(events => [...events, ...events.filter(isFunding)])
    // Longs pay 0.1% of 60 USDT, shorts receive it of 70.
    expect(problemsIn(fundingAgrees(less))).toEqual([
      'E-BTC-USDT paid -0.01 of funding in 2 parts, booked 0 in 0',
    ])
    expect(problemsIn(fundingAgrees(more))).toEqual([
      'E-BTC-USDT paid -0.01 of funding in 2 parts, booked -0.02 in 4',
    ])
  })

  it('a takeover that never happened', async () => {
    const liquidation = { symbol: SYMBOL, book: SYMBOL } as const
    const event = { type: 'liquidated', liquidation, fillId: '1', time: 0 } as EngineEvent // all that is looked at
    const wrong = await restWith(events => [...events, event])
    expect(problemsIn(liquidationsBookedOnce(wrong))).toEqual([
      '0 positions of E-BTC-USDT were taken over, booked 1',
    ])
  })

  it('a halt, where nobody else has traded', async () => {
    const event = { type: 'instrumentHalted', symbol: SYMBOL, reason: 'Nobody knows.', time: 0 } as const
    const quiet = await rest()
    expect(problemsIn(haltsAreDue({ ...quiet, event }))).toEqual(['E-BTC-USDT was halted: Nobody knows.'])
    // Every order is then one of somebody else.
    expect(haltsAreDue({ ...quiet, event, othersPrefix: '' })).toEqual([])
  })

  it('a round trip that nobody told of', async () => {
    const wrong: Rest = { ...(await rest()), roundTrips: [] }
    expect(problemsIn(contractProfitAgrees(wrong))).toHaveLength(1)
  })

  it('a side that is held in the book of the other', async () => {
    const { ledger } = await rest()
    const [order] = ledger.orders.remembered
    const position = ledger.position(`${SYMBOL}:short`)
    const swapped = {
      ...ledger,
      orders: { remembered: [order] },
      position: () => position,
      instrument: () => ledger.instrument(SYMBOL),
      contracts: { of: () => ({ direction: 'short' }) },
    } as unknown as typeof ledger // what the invariant looks at
    expect(problemsIn(contractsHeldRightly({ ledger: swapped }))[0]).toContain(
      'is short in the book E-BTC-USDT:long',
    )
  })

  it('an exit that opens', async () => {
    const wrong = await rest()
    const orders = futuresAccountOf(world).records.orders
    const closing = orders.find(({ action }) => action === 'CLOSE')
    if (closing === undefined) throw new Error('Nothing was closed.')
    Object.assign(closing, { action: 'OPEN' })
    expect(problemsIn(ordersAsAsked(wrong))).toEqual([expect.stringMatching(/opens what it is to close$/)])
    Object.assign(closing, { action: 'CLOSE' })
  })
})

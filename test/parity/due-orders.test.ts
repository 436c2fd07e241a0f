import { describe, expect, it } from 'vitest'
import { ObservedFillModel } from '../../backtest/fills/observed-fill-model.ts'
import { fixedArrivals } from '../../backtest/models/order-arrivals.ts'
import { priceOf, roundToTicks, steps, type Ticks } from '../../src/domain/numbers/grid.ts'
import type { OrderDraft } from '../../src/domain/orders/order-request.ts'
import type { Signal } from '../../src/domain/signal.ts'
import { enterLong, exit, protect } from '../../src/strategy/index.ts'
import { QUIET, type Row, runScript } from '../backtest/kline-table.ts'
import { MARGIN } from '../engine/engine-session.ts'
import { ExecutionSession } from '../execution/execution-session.ts'
import { requestOf } from '../ledger/order-parts.ts'

const ticksAt = (price: number): Ticks => roundToTicks(MARGIN, price, 'nearest')

/** An order whose price the market has passed where it is decided, at 100. */
interface DueOrder {
  /** The signals by row; the last decides it. */
  readonly script: Readonly<Record<number, Signal>>
  readonly side: 'buy' | 'sell'
  readonly purpose?: OrderDraft['purpose']
  readonly spec: OrderDraft['spec']
  readonly price: number
  /** A first price after the decision that is still past it. */
  readonly past: number
  /** A first price after the decision from which it has yet to come. */
  readonly back: number
}

const BOUGHT = enterLong()
const stopAt = (price: number) => ({ type: 'stop', stopPrice: ticksAt(price) }) as const
const STOP_AT_ONCE = { type: 'stop', stopPrice: 95, triggerAtOnce: true } as const
const TOUCH_AT_ONCE = { type: 'ifTouched', triggerPrice: 105, triggerAtOnce: true } as const

const DUE: readonly (readonly [name: string, order: DueOrder])[] = [
  [
    'an entry by stop',
    {
      ...{ script: { 1: enterLong({ order: STOP_AT_ONCE }) }, side: 'buy', spec: stopAt(95) },
      ...{ price: 95, past: 97, back: 90 },
    },
  ],
  [
    'an entry if touched',
    {
      ...{ script: { 1: enterLong({ order: TOUCH_AT_ONCE }) }, side: 'buy' },
      ...{ spec: { type: 'ifTouched', triggerPrice: ticksAt(105) }, price: 105, past: 103, back: 110 },
    },
  ],
  [
    'an exit by stop',
    {
      ...{ script: { 0: BOUGHT, 1: exit({ order: { type: 'stop', stopPrice: 103 } }) }, side: 'sell' },
      ...{ spec: stopAt(103), price: 103, past: 101, back: 105 },
    },
  ],
  [
    'a stop-loss that `protect` puts',
    {
      ...{ script: { 0: BOUGHT, 1: protect({ stopLoss: 105 }) }, side: 'sell' },
      ...{ spec: stopAt(105), price: 105, past: 104, back: 106 },
    },
  ],
  [
    'a take-profit that `protect` puts',
    {
      ...{ script: { 0: BOUGHT, 1: protect({ takeProfit: 98 }) }, side: 'sell', purpose: 'takeProfit' },
      ...{ spec: { type: 'limit', price: ticksAt(98) }, price: 98, past: 99, back: 97 },
    },
  ],
]

/** Prices after which an order is sent, or trades. */
type Outcome = readonly number[]

/** The prices at which a bot sends it. */
async function live({ side, purpose = 'exit', spec }: DueOrder, prices: readonly number[]): Promise<Outcome> {
  const session = new ExecutionSession()
  session.place('due', { side, purpose, spec, reduceOnly: side === 'sell' })
  await session.run(1)
  expect(session.sentIds).toEqual([])
  for (const last of prices) {
    session.executor.observe('BTC/USDT', { bid: last, ask: last, last })
    await session.run(1)
    if (session.sentIds.length > 0) return [last]
  }
  return []
}

/** The prices of its fill on klines that begin and end at the prices. */
function onKlines({ script }: DueOrder, prices: readonly number[], path: 'pessimistic' | 'ohlc'): Outcome {
  const rows = prices.map((open, index): Row => {
    const close = prices[index + 1] ?? open
    return [open, Math.max(open, close), Math.min(open, close), close]
  })
  const { fills } = runScript(script, [QUIET, QUIET, ...rows], { fills: { path } })
  return fills.filter(({ time }) => time > 60_000).map(({ price }) => priceOf(MARGIN, price))
}

/** The prices of its fill on recorded trades. */
function onTicks({ side, purpose = 'exit', spec }: DueOrder, prices: readonly number[]): Outcome {
  const filled: number[] = []
  const model = new ObservedFillModel({
    instrument: MARGIN,
    rules: { queue: 'front', arrivals: fixedArrivals(0), hasBooks: true, hasMarks: false },
    onFill: ({ price }) => filled.push(priceOf(MARGIN, price)),
    onEnd: () => {},
    onTrail: () => {},
    isHeldByExit: () => false,
  })
  model.place(requestOf({ side, purpose, spec, reduceOnly: side === 'sell' }), 0)
  for (const [index, price] of prices.entries()) {
    const time = 1000 * (index + 1)
    const level = [{ price: ticksAt(price), quantity: steps(5000) }]
    const book = { time, bids: side === 'sell' ? level : [], asks: side === 'buy' ? level : [], levels: 1 }
    model.observeBook(book, time)
    model.observeTrade(
      { id: `${index}`, time, price: ticksAt(price), quantity: steps(1), side: 'sell' },
      time,
    )
    // Meets what the two before have sent.
    model.observeBook(book, time)
  }
  return filled
}

describe.each(DUE)(
  '%s that is due where it is decided is tested by the first price after that',
  (_name, due) => {
    it('and trades there, where that is still past its price', async () => {
      expect(await live(due, [due.past])).toEqual([due.past])
      expect(onTicks(due, [due.past])).toEqual([due.past])
      for (const path of ['pessimistic', 'ohlc'] as const)
        expect(onKlines(due, [due.past], path)).toEqual([due.past])
    })

    it('and waits for its price, where that has gone back', async () => {
      const prices = [due.back, due.price, due.past]
      expect(await live(due, prices)).toEqual([due.price])
      expect(onTicks(due, prices)).toEqual([due.price])
      for (const path of ['pessimistic', 'ohlc'] as const)
        expect(onKlines(due, prices, path)).toEqual([due.price])
    })
  },
)

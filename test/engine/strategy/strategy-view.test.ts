import { describe, expect, it } from 'vitest'
import { ticks } from '../../../src/domain/numbers/grid.ts'
import {
  defineStrategy,
  enterLong,
  enterShort,
  exit,
  type StrategyView,
} from '../../../src/strategy/index.ts'
import { EngineSession } from '../engine-session.ts'

/** What a strategy that enters on its first kline sees on each of its klines. */
function seenBy<Seen>(
  look: (view: StrategyView) => Seen,
  enter = enterLong,
): { session: EngineSession; seen: Seen[] } {
  const seen: Seen[] = []
  const session = new EngineSession(
    defineStrategy({
      name: 'looking',
      onKline(_kline, context) {
        seen.push(look(context))
        return seen.length === 1
          ? enter({ size: { base: 2 }, stopLoss: { fraction: 0.5 }, tag: 'x' })
          : undefined
      },
    }),
  )
  return { session, seen }
}

it('shows equity at the price of the kline that closed, without any order in between', () => {
  const { session, seen } = seenBy(({ equity }) => equity)
  session.kline(100)
  session.fill(1, 101)
  session.kline(110)
  session.kline(95)
  // 10,000 - 2 × 101 + 2 × 110, then + 2 × 95.
  expect(seen).toEqual([10_000, 10_018, 9988])
})

it('shows the close of the kline as the price', () => {
  const { session, seen } = seenBy(({ price }) => price)
  session.kline(100)
  session.kline(101)
  expect(seen).toEqual([100, 101])
})

it('shows what the account owns of an asset', () => {
  const { session, seen } = seenBy(({ balance }) => [balance('USDT'), balance('BTC'), balance('ETH')])
  session.kline(100)
  session.fill(1, 101)
  session.kline(100)
  // 10,000 - 2 × 101
  expect(seen).toEqual([
    [10_000, 0, 0],
    [9798, 2, 0],
  ])
})

it('shows the position as it is: flat, long, short', () => {
  const long = seenBy(({ position }) => position)
  long.session.kline(100)
  long.session.fill(1, 101)
  long.session.kline(110)
  expect(long.seen).toEqual([
    { direction: 'flat', quantity: 0, entryPrice: Number.NaN, openedAt: Number.NaN },
    { direction: 'long', quantity: 2, entryPrice: 101, openedAt: 60_000 },
  ])
  const short = seenBy(({ position }) => position.direction, enterShort)
  short.session.kline(100)
  short.session.fill(1, 100)
  short.session.kline(100)
  expect(short.seen).toEqual(['flat', 'short'])
})

it('shows orders that can still trade, protection among them', () => {
  const { session, seen } = seenBy(({ orders }) =>
    orders.map(({ purpose, quantity, tag }) => [purpose, quantity, tag]),
  )
  session.kline(100)
  session.kline(100)
  session.fill(1, 100)
  session.kline(100)
  expect(seen).toEqual([[], [['entry', 2, 'x']], [['stopLoss', 2, 'x']]])
})

describe('the orders that a strategy sees', () => {
  const prices = (given: Parameters<typeof enterLong>[0], fillAt?: number) => {
    const seen: Record<string, unknown>[][] = []
    const session = new EngineSession(
      defineStrategy({
        name: 'looking',
        onKline(_kline, { orders }) {
          seen.push(
            orders.map(({ purpose, type, price, stopPrice, triggerPrice, activationPrice }) => ({
              ...{ purpose, type, price, stopPrice, triggerPrice, activationPrice },
            })),
          )
          return seen.length === 1 ? enterLong(given) : undefined
        },
      }),
    )
    session.kline(100)
    if (fillAt !== undefined) session.fill(1, fillAt)
    session.kline(100)
    return seen[1]
  }

  it.each([
    [{ type: 'limit', price: 98 } as const, { price: 98 }],
    [{ type: 'stop', stopPrice: 103 } as const, { stopPrice: 103 }],
    [{ type: 'stopLimit', stopPrice: 103, price: 104 } as const, { stopPrice: 103, price: 104 }],
    [{ type: 'ifTouched', triggerPrice: 97 } as const, { triggerPrice: 97 }],
  ])('show the prices of an entry: %o', (order, shown) => {
    expect(prices({ order })).toEqual([{ purpose: 'entry', type: order.type, ...shown }])
  })

  it('show stop-loss, take-profit and the level of a trailing stop', () => {
    const trailingStop = [{ distance: 4 }, { callbackRate: 0.1, activation: { fraction: 0.05 } }]
    expect(prices({ stopLoss: 95, takeProfit: 110, trailingStop }, 100)).toEqual([
      { purpose: 'stopLoss', type: 'stop', stopPrice: 95 },
      { purpose: 'takeProfit', type: 'limit', price: 110 },
      { purpose: 'trailingStop', type: 'trailingStop', stopPrice: 96 },
      { purpose: 'trailingStop', type: 'trailingStop', activationPrice: 105 },
    ])
  })

  it('show what a trailing stop has followed, once the engine is told', () => {
    const { session, seen } = seenBy(
      ({ orders }) => orders.map(({ stopPrice }) => stopPrice),
      () => enterLong({ trailingStop: { callbackRate: 0.1, activation: 105 } }),
    )
    session.kline(100)
    session.fill(1, 100)
    session.kline(100)
    const { clientOrderId } = session.order(2)
    session.process({ type: 'trailingStopMoved', clientOrderId, best: ticks(11_000), time: 0 })
    session.kline(100)
    // 110 × 0.9
    expect(seen).toEqual([[], [undefined], [99]])
  })

  it('name the entry that they protect, and cannot be changed', () => {
    const { session, seen } = seenBy(({ orders, lots, position }) => ({ orders, lots, position }))
    session.kline(100)
    session.fill(1, 100)
    session.kline(100)
    const { orders = [], lots = [], position } = seen[1] ?? {}
    expect(orders[0]?.protects).toBe(lots[0]?.clientOrderId)
    for (const frozen of [orders, orders[0], lots, lots[0], position, seen[0]?.position])
      expect(Object.isFrozen(frozen)).toBe(true)
  })
})

it('shows the lots of a position: one for each fill of an entry, as far as it is open', () => {
  const seen: unknown[] = []
  const session = new EngineSession(
    defineStrategy({
      name: 'scaling',
      onKline(_kline, { lots }) {
        seen.push(
          lots.map(({ direction, quantity, entryPrice, openedAt, tag }) => ({
            ...{ direction, quantity, entryPrice, openedAt, tag },
          })),
        )
        if (seen.length === 1) return enterLong({ size: { base: 2 }, tag: 'a' })
        if (seen.length === 2) return enterLong({ size: { base: 1 }, tag: 'b', scaleIn: true })
        return seen.length === 3 ? exit({ fraction: 0.5 }) : undefined
      },
    }),
  )
  session.kline(100)
  session.fill(1, 101)
  session.kline(100)
  session.fill(2, 102)
  session.kline(100)
  // Half of 3; closed first in, first out.
  session.fill(3, 103, 1.5)
  session.kline(100)
  const first = { direction: 'long', entryPrice: 101, openedAt: 60_000, tag: 'a' }
  const second = { direction: 'long', quantity: 1, entryPrice: 102, openedAt: 120_000, tag: 'b' }
  expect(seen).toEqual([
    [],
    [{ ...first, quantity: 2 }],
    [{ ...first, quantity: 2 }, second],
    [{ ...first, quantity: 0.5 }, second],
  ])
})

it('shows the close of the kline as the time', () => {
  const { session, seen } = seenBy(({ time }) => time)
  session.kline(100)
  session.kline(100)
  expect(seen).toEqual([60_000, 120_000])
})

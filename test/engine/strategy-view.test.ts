import { expect, it } from 'vitest'
import { defineStrategy, enterLong, enterShort, type StrategyView } from '../../src/strategy/index.ts'
import { DeskSession } from './desk-session.ts'

/** What a strategy that enters on its first kline sees on each of its klines. */
function seenBy<Seen>(
  look: (view: StrategyView) => Seen,
  enter = enterLong,
): { session: DeskSession; seen: Seen[] } {
  const seen: Seen[] = []
  const session = new DeskSession(
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

it('shows the close of the kline as the time', () => {
  const { session, seen } = seenBy(({ time }) => time)
  session.kline(100)
  session.kline(100)
  expect(seen).toEqual([60_000, 120_000])
})

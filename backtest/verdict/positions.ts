import { closeTimeOf } from '../../src/domain/market-data/interval.ts'
import { amountToNumber } from '../../src/domain/numbers/amount.ts'
import type { Position } from '../../src/domain/position.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import { firstRowAfter } from '../../src/klines/row-search.ts'
import type { HeldSpan } from '../../src/research/controls/controls.ts'
import type { BacktestOptions } from '../run/backtest-options.ts'

/** A round trip as far as it says when something was held. */
export type HeldTrip = Pick<RoundTrip, 'entryTime' | 'exitTime' | 'direction'>

/** Positions that are still open, as if they were closed at the close of the last kline. */
export function heldToTheEnd(
  positions: readonly Position[],
  { klines, interval }: Pick<BacktestOptions, 'klines' | 'interval'>,
): HeldTrip[] {
  const exitTime = closeTimeOf(klines.openTime.at(-1) ?? Number.NaN, interval)
  return positions.flatMap(({ direction, lots }) =>
    lots.map(({ time }) => ({ entryTime: time, exitTime, direction })),
  )
}

/**
 * Times at which round trips held something, as rows of klines, in order of time. Round trips that overlap are one span with the
 * direction of the first; one within a kline counts as one kline long. What is sold at the
 * close of the last kline is held to the row after it.
 */
export function heldSpans(
  roundTrips: readonly HeldTrip[],
  { klines, interval }: Pick<BacktestOptions, 'klines' | 'interval'>,
): HeldSpan[] {
  const lastClose = closeTimeOf(klines.openTime.at(-1) ?? Number.NaN, interval)
  const inTime = roundTrips.toSorted((left, right) => left.entryTime - right.entryTime)
  const spans: HeldSpan[] = []
  for (const { entryTime, exitTime, direction } of inTime) {
    const from = Math.max(0, firstRowAfter(klines.openTime, entryTime) - 1)
    const exit = firstRowAfter(klines.openTime, exitTime) - (exitTime < lastClose ? 1 : 0)
    const to = Math.max(from + 1, exit)
    const last = spans.at(-1)
    if (last !== undefined && from < last.to) {
      spans[spans.length - 1] = { ...last, to: Math.max(last.to, to) }
    } else spans.push({ from, to, direction: direction === 'long' ? 1 : -1 })
  }
  return spans
}

/** Price at the open of each kline, and last the close of the last one. */
export function opensAndLastClose({ open, close }: KlineColumns): Float64Array {
  const prices = new Float64Array(open.length + 1)
  prices.set(open)
  prices[open.length] = close.at(-1) ?? Number.NaN
  return prices
}

/** Profit of each round trip as a fraction of the equity that all before it left, in order of exit. */
export function tripReturnsOf(roundTrips: readonly RoundTrip[], startEquity: number): Float64Array {
  let equity = startEquity
  return Float64Array.from(roundTrips, ({ pnl }) => {
    const profit = amountToNumber(pnl)
    const change = profit / equity
    equity += profit
    return change
  })
}

import fc from 'fast-check'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { Line } from '../../src/indicators/crossing.ts'
import type { Indicator } from '../../src/indicators/indicator.ts'

/** An hourly kline that stands still at its close. */
export function flatKline(close: number, index = 0): Kline {
  return { openTime: index * 3_600_000, open: close, high: close, low: close, close, volume: 1 }
}

/** Hourly klines that stand still at each close. */
export function flatKlines(closes: readonly number[]): Kline[] {
  return closes.map(flatKline)
}

/** Any number of klines with prices of two decimals, whose open and close lie between low and high. */
export const anyKlines: fc.Arbitrary<Kline[]> = fc
  .array(
    fc.array(
      fc.integer({ min: 1, max: 10_000_000 }).map(cents => cents / 100),
      { minLength: 4, maxLength: 4 },
    ),
    { maxLength: 120 },
  )
  .map(rows =>
    rows.map((prices, index) => {
      const [low = 1, open = 1, close = 1, high = 1] = prices.toSorted((left, right) => left - right)
      const openTime = index * 60_000
      return index % 2 === 0
        ? { openTime, open, high, low, close, volume: index }
        : { openTime, open: close, high, low, close: open, volume: index }
    }),
  )

/** The value after each kline. */
export function valuesOf<Value>(indicator: Indicator<Value>, klines: readonly Kline[]): Value[] {
  return klines.map(kline => {
    indicator.update(kline)
    return indicator.value
  })
}

/** The previous value after each kline. */
export function previousOf<Value>(indicator: Indicator<Value>, klines: readonly Kline[]): Value[] {
  return klines.map(kline => {
    indicator.update(kline)
    return indicator.previous
  })
}

/** Value and previous value of a line of an indicator after each kline. */
export function linesOf<Own extends Indicator<unknown>>(
  indicator: Own,
  klines: readonly Kline[],
  pick: (indicator: Own) => Line,
): (readonly [value: number, previous: number])[] {
  const line = pick(indicator)
  return klines.map(kline => {
    indicator.update(kline)
    return [line.value, line.previous]
  })
}

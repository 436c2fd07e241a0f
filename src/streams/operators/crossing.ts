import { defer, filter, type MonoTypeOperatorFunction } from 'rxjs'
import { crossesAbove, crossesBelow, type Line } from '../../indicators/crossing.ts'

/** Reads a number off a value of a stream. */
type Read<Value> = (value: Value) => number

/**
 * Lets the values pass at which one series crosses above another one, or above a level: it was at or below it with the value
 * before, and is above it now. One value for each crossing, and none while either number is NaN.
 *
 * `klines$.pipe(withIndicator(() => rsi(14)), crossingAbove(({ value }) => value, 30))`
 */
export function crossingAbove<Value>(
  series: Read<Value>,
  other: Read<Value> | number,
): MonoTypeOperatorFunction<Value> {
  return crossing(series, other, crossesAbove)
}

/** The same for a series that was at or above the other, and is below it now. */
export function crossingBelow<Value>(
  series: Read<Value>,
  other: Read<Value> | number,
): MonoTypeOperatorFunction<Value> {
  return crossing(series, other, crossesBelow)
}

function crossing<Value>(
  series: Read<Value>,
  other: Read<Value> | number,
  crosses: (line: Line, other: Line) => boolean,
): MonoTypeOperatorFunction<Value> {
  const readOther = typeof other === 'number' ? () => other : other
  return source$ =>
    defer(() => {
      let previous = { series: Number.NaN, other: Number.NaN }
      return source$.pipe(
        filter(value => {
          const now = { series: series(value), other: readOther(value) }
          const before = previous
          previous = now
          return crosses(
            { value: now.series, previous: before.series },
            { value: now.other, previous: before.other },
          )
        }),
      )
    })
}

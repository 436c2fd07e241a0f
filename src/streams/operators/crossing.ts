import { defer, filter, type MonoTypeOperatorFunction } from 'rxjs'
import { crossesAbove, crossesBelow, type Line } from '../../indicators/crossing.ts'

/** Selects a number of an emitted value. */
type Read<Value> = (value: Value) => number

/**
 * Emits values at which one series crosses above another, or above a level: it was at or below it at the
 * previous value, and is above it now. One value per crossing, none while either number is NaN.
 *
 * `klines$.pipe(withIndicator(() => rsi(14)), crossingAbove(({ value }) => value, 30))`
 */
export function crossingAbove<Value>(
  series: Read<Value>,
  other: Read<Value> | number,
): MonoTypeOperatorFunction<Value> {
  return crossing(series, other, crossesAbove)
}

/**
 * Emits values at which one series crosses below another, or below a level: it was at or above it, and is
 * below it now.
 */
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

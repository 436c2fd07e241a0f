/** Anything with a value now and one kline earlier. */
export interface Line {
  readonly value: number
  readonly previous: number
}

/**
 * Values that are equal on paper differ by rounding, and by another one where the data starts elsewhere: closer than this
 * part of itself a value is at the other, neither above nor below.
 */
const ROUNDING = 1e-12

/** Whether `line` was at or below the other (or the level) one kline ago and is above it now. False while either is not ready. */
export function crossesAbove(line: Line, other: Line | number): boolean {
  return typeof other === 'number'
    ? line.value > upper(other) && line.previous <= upper(other)
    : line.value > upper(other.value) && line.previous <= upper(other.previous)
}

/** Whether `line` was at or above the other (or the level) one kline ago and is below it now. False while either is not ready. */
export function crossesBelow(line: Line, other: Line | number): boolean {
  return typeof other === 'number'
    ? line.value < lower(other) && line.previous >= lower(other)
    : line.value < lower(other.value) && line.previous >= lower(other.previous)
}

function upper(value: number): number {
  return value + Math.abs(value) * ROUNDING
}

function lower(value: number): number {
  return value - Math.abs(value) * ROUNDING
}

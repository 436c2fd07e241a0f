/** A value at the latest kline and at the one before. */
export interface Line {
  readonly value: number
  readonly previous: number
}

/**
 * Relative tolerance: values that are mathematically equal differ by rounding, and differently for another
 * start of the data. Values closer than this count as equal, neither above nor below.
 */
const ROUNDING = 1e-12

/**
 * True if `line` was at or below the other (or the level) one kline ago and is above it now. False while
 * either is not ready.
 */
export function crossesAbove(line: Line, other: Line | number): boolean {
  return typeof other === 'number'
    ? line.value > upper(other) && line.previous <= upper(other)
    : line.value > upper(other.value) && line.previous <= upper(other.previous)
}

/**
 * True if `line` was at or above the other (or the level) one kline ago and is below it now. False while
 * either is not ready.
 */
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

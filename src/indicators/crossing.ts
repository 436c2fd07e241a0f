/** Anything with a value now and one kline earlier. */
export interface Line {
  readonly value: number
  readonly previous: number
}

/** Whether `line` was at or below the other (or the level) one kline ago and is above it now. False while either is not ready. */
export function crossesAbove(line: Line, other: Line | number): boolean {
  return typeof other === 'number'
    ? line.previous <= other && line.value > other
    : line.previous <= other.previous && line.value > other.value
}

/** Whether `line` was at or above the other (or the level) one kline ago and is below it now. False while either is not ready. */
export function crossesBelow(line: Line, other: Line | number): boolean {
  return typeof other === 'number'
    ? line.previous >= other && line.value < other
    : line.previous >= other.previous && line.value < other.value
}

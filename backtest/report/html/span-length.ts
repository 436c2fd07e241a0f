const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Lengths that people read easily, in seconds. */
export const SPAN_LENGTHS: readonly number[] = [
  ...[1, 2, 5, 15, 30].map(minutes => minutes * MINUTE),
  ...[1, 2, 4, 8, 12].map(hours => hours * HOUR),
  ...[1, 2, 4, 7, 14, 28].map(days => days * DAY),
]

/** The shortest length of at least `shortest` that divides `duration` into at most `count` spans; all in seconds. */
export function spanLength(shortest: number, duration: number, count: number): number {
  const fits = (seconds: number) => seconds >= shortest && duration / seconds <= count
  return SPAN_LENGTHS.find(fits) ?? Math.max(shortest, Math.ceil(duration / count / DAY) * DAY)
}

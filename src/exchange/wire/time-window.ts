import { type Refusals, refuseParameter } from '../errors/refused-parameter.ts'

const DAY_MS = 86_400_000

/** Times of a request, ms UTC as numbers or as text. */
interface TimeWindow {
  readonly startTime?: number | string | undefined
  readonly endTime?: number | string | undefined
}

/** Refuses a window that ends before it starts, or that is longer than `maxDays` (interface section 4.2, History Orders). */
export function checkWindow(
  { startTime, endTime }: TimeWindow,
  refusals: Refusals,
  maxDays = Number.POSITIVE_INFINITY,
): void {
  if (startTime === undefined || endTime === undefined) return
  const length = Number(endTime) - Number(startTime)
  if (length < 0) refuseParameter(refusals, 'endTime', 'must not be before the start of the window')
  if (length > maxDays * DAY_MS)
    refuseParameter(refusals, 'endTime', `must be at most ${maxDays} days after startTime`)
}

/** Refuses one end of a window without the other (interface section 4.6, profitHistorical). */
export function checkBothOrNone({ startTime, endTime }: TimeWindow, refusals: Refusals): void {
  if ((startTime === undefined) === (endTime === undefined)) return
  const [missing, given] =
    startTime === undefined ? (['startTime', 'endTime'] as const) : (['endTime', 'startTime'] as const)
  refuseParameter(refusals, missing, `is required together with ${given}`)
}

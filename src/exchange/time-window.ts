import type { z } from 'zod'

const DAY_MS = 86_400_000

/** The times of a request, ms UTC as numbers or as text. */
interface TimeWindow {
  readonly startTime?: number | string | undefined
  readonly endTime?: number | string | undefined
}

/** Refuses a window that ends before it starts, or that is longer than `maxDays` (interface section 4.2, History Orders). */
export function checkWindow(
  { startTime, endTime }: TimeWindow,
  context: z.RefinementCtx,
  maxDays = Number.POSITIVE_INFINITY,
): void {
  if (startTime === undefined || endTime === undefined) return
  const length = Number(endTime) - Number(startTime)
  if (length < 0) refuse('must not be before the start of the window', context)
  if (length > maxDays * DAY_MS) refuse(`must be at most ${maxDays} days after startTime`, context)
}

/** Refuses one end of a window without the other (interface section 4.6, profitHistorical). */
export function checkBothOrNone({ startTime, endTime }: TimeWindow, context: z.RefinementCtx): void {
  if ((startTime === undefined) === (endTime === undefined)) return
  const [missing, given] = startTime === undefined ? ['startTime', 'endTime'] : ['endTime', 'startTime']
  context.addIssue({ code: 'custom', path: [missing], message: `is required together with ${given}` })
}

function refuse(message: string, context: z.RefinementCtx): void {
  context.addIssue({ code: 'custom', path: ['endTime'], message })
}

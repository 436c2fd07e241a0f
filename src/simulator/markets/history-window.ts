import { ApiError } from '../protocol/api-error.ts'
import type { RequestParameters } from '../protocol/request-parameters.ts'

const DAY = 86_400_000
/** Reach of the history: six of the longest months. */
const REACH = 6 * 31 * DAY
/** Interface section 4.2, History Orders. */
const LONGEST_ORDER_WINDOW = 7 * DAY

/** A span of time, both ends included; ms UTC. */
export interface HistoryWindow {
  readonly from: number
  readonly to: number
}

/**
 * The window of an order or trade history at `now`, ms UTC: 7 days long unless the request has both ends, and
 * at most that if it has; throws `ApiError` for an invalid one.
 */
export function orderWindow(parameters: RequestParameters, now: number): HistoryWindow {
  const [start, end] = [parameters.integer('startTime'), parameters.integer('endTime')]
  const to = end ?? (start === undefined ? now : start + LONGEST_ORDER_WINDOW)
  const window = { from: start ?? to - LONGEST_ORDER_WINDOW, to }
  if (to - window.from > LONGEST_ORDER_WINDOW) refuse('endTime')
  return checkReach(checkOrder(window), start, now)
}

/** The window of transfers (interface section 4.3): of any length, the last 7 days by default. */
export function transferWindow(parameters: RequestParameters, now: number): HistoryWindow {
  return checkReach(openWindow(parameters, now, 7), parameters.integer('startTime'), now)
}

/** The window of withdrawals: of any length and age, the last 90 days by default. */
export function withdrawalWindow(parameters: RequestParameters, now: number): HistoryWindow {
  return openWindow(parameters, now, 90)
}

/** True if a moment (ms UTC) lies in a window. */
export function isInside({ from, to }: HistoryWindow, time: number): boolean {
  return time >= from && time <= to
}

function openWindow(parameters: RequestParameters, now: number, usualDays: number): HistoryWindow {
  const to = parameters.integer('endTime') ?? now
  return checkOrder({ from: parameters.integer('startTime') ?? to - usualDays * DAY, to })
}

function checkOrder(window: HistoryWindow): HistoryWindow {
  return window.from > window.to ? refuse('endTime') : window
}

/** A default start may exceed the reach; then only the end is checked. */
function checkReach(window: HistoryWindow, start: number | undefined, now: number): HistoryWindow {
  if ((start ?? window.to) >= now - REACH) return window
  return refuse(start === undefined ? 'endTime' : 'startTime')
}

function refuse(name: string): never {
  throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', name)
}

import { closeTimeOf, openTimeOf } from '../domain/market-data/interval.ts'
import { UsageError } from '../domain/sluice-error.ts'

/** A length of market time: `30s`, `15m`, `4h`, `1d`, `1w`, or `1M`, a calendar month. */
export type Period = `${number}${'s' | 'm' | 'h' | 'd' | 'w'}` | '1M'

/** A repeating event on market time. */
export interface Timer {
  readonly type: 'timer'
  readonly period: Period
}

export type Timers = Readonly<Record<string, Timer>>

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const
const DAY = UNITS.d
/** Monday, 5 January 1970: weeks begin on Mondays, as weekly klines do. */
const FIRST_MONDAY = 4 * DAY

/**
 * Fires at every multiple of a period from 00:00 UTC on: `every('4h')` at 00:00, 04:00, …, `every('1w')` on
 * Mondays, `every('1M')` on the first of a month. Throws `UsageError` for an invalid period, and for one
 * below a day that does not divide it.
 */
export function every(period: Period): Timer {
  lengthOf(period)
  return { type: 'timer', period }
}

/** First due time of a timer at or after `time`; both ms UTC. */
export function dueFrom(period: Period, time: number): number {
  if (period === '1M') {
    const start = openTimeOf(time, '1M')
    return start === time ? start : closeTimeOf(start, '1M')
  }
  const [length, origin] = [lengthOf(period), period.endsWith('w') ? FIRST_MONDAY : 0]
  return origin + Math.ceil((time - origin) / length) * length
}

/** Last due time of a timer at or before `time`; both ms UTC. */
export function dueUntil(period: Period, time: number): number {
  if (period === '1M') return openTimeOf(time, '1M')
  const [length, origin] = [lengthOf(period), period.endsWith('w') ? FIRST_MONDAY : 0]
  return origin + Math.floor((time - origin) / length) * length
}

function lengthOf(period: string): number {
  if (period === '1M') return 30 * DAY
  const [, count = '', unit = ''] = /^([1-9]\d*)([smhdw])$/.exec(period) ?? []
  if (unit === '') {
    throw new UsageError(
      `"${period}" is no period of a timer; write a whole number and s, m, h, d or w, such as every('4h'), or every('1M').`,
    )
  }
  const length = Number(count) * UNITS[unit as keyof typeof UNITS] // matched above
  if (length >= DAY || DAY % length === 0) return length
  throw new UsageError(
    `A timer of ${period} would not come at the same times of every day; use a period that divides a day, such as 1h, 4h or 15m.`,
  )
}

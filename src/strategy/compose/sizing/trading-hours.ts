import { UsageError } from '../../../domain/sluice-error.ts'
import { definePart, type Part } from '../part.ts'

const DAY_MS = 86_400_000
/** Days of the week, from 1 January 1970, a Thursday. */
const DAYS = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed'] as const

export type Weekday = (typeof DAYS)[number]

/** A time of the day, `08:30`, up to `24:00`. */
export type TimeOfDay = `${number}:${number}`

/**
 * Allows entries only from `from` on and before `to`, on `days`; times are UTC. If `to` is before `from`, the
 * hours continue after midnight and belong to the day on which they begin. Throws `UsageError` for an invalid
 * time of day.
 */
export function tradingHours({
  from = '00:00',
  to = '24:00',
  days = DAYS,
}: {
  readonly from?: TimeOfDay
  readonly to?: TimeOfDay
  /** Default: every day. */
  readonly days?: readonly Weekday[]
}): Part {
  const [begin, end] = [msOf(from), msOf(to)]
  return definePart({
    name: 'tradingHours',
    allows: (_direction, { view: { time } }) => {
      const ofDay = time % DAY_MS
      const isLate = begin > end && ofDay < end
      const isOpen = begin <= end ? ofDay >= begin && ofDay < end : isLate || ofDay >= begin
      return isOpen && days.includes(weekdayOf(isLate ? time - DAY_MS : time))
    },
  })
}

function weekdayOf(time: number): Weekday {
  return DAYS[Math.floor(time / DAY_MS) % 7] as Weekday // 0 to 6
}

function msOf(text: string): number {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text) ?? []
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000
  if (ms >= 0 && ms <= DAY_MS && Number(minutes) < 60) return ms
  throw new UsageError(`"${text}" is no time of the day; write hours and minutes, from 00:00 to 24:00.`)
}

/** Day and time of day at a place. */
export interface LocalTime {
  /** `2026-01-31`. */
  readonly day: string
  /** `22:05`. */
  readonly time: string
}

/** The time in a time zone; `now` is ms UTC. */
export function localTime(now: number, timeZone: string): LocalTime {
  const [day = '', time = ''] = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
    .format(now)
    .split(' ')
  return { day, time }
}

/** True within hours that may go over midnight; times are `HH:MM`. */
export function isWithinHours(
  time: string,
  { from, until }: { readonly from: string; readonly until: string },
): boolean {
  return from <= until ? time >= from && time < until : time >= from || time < until
}

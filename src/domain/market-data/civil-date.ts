/** A day of the proleptic Gregorian calendar, UTC. */
export interface CivilDate {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. */
  readonly day: number
}

const DAY = 86_400_000

/** Date of a day counted from 1970-01-01; civil_from_days of H. Hinnant, "chrono-Compatible Low-Level Date Algorithms". */
export function civilDateOf(dayNumber: number): CivilDate {
  const shifted = dayNumber + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  }
}

/** Days from 1970-01-01 to a date; days_from_civil of the same source. */
export function dayNumberOf({ year, month, day }: CivilDate): number {
  const shiftedYear = month <= 2 ? year - 1 : year
  const era = Math.floor(shiftedYear / 400)
  const yearOfEra = shiftedYear - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return (
    era * 146_097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    719_468
  )
}

/** ISO 8601 text of a time (ms UTC): `2024-02-29T12:00:00.000Z`. */
export function utcText(time: number): string {
  const { year, month, day } = civilDateOf(Math.floor(time / DAY))
  const ms = time - Math.floor(time / DAY) * DAY
  const date = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
  const clock = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60]
    .map(part => pad(Math.floor(part), 2))
    .join(':')
  return `${date}T${clock}.${pad(ms % 1000, 3)}Z`
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, '0')
}

import { add, amountToNumber, ZERO } from '../../../src/domain/numbers/amount.ts'
import type { RoundTrip } from '../../../src/domain/round-trip.ts'
import { fixed, type MoneyFormat, valueText } from '../text/figure-text.ts'
import type { Breakdown } from '../text/report-section.ts'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Results of round trips by the hour and by the weekday of their entry, in UTC; hours and days without one are left out. */
export function entryTimeTables(roundTrips: readonly RoundTrip[], money: MoneyFormat): Breakdown[] {
  if (roundTrips.length === 0) return []
  const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)
  return [
    tableOf('Hour', hours, roundTrips, money, time => new Date(time).getUTCHours()),
    tableOf('Weekday', WEEKDAYS, roundTrips, money, time => (new Date(time).getUTCDay() + 6) % 7),
  ]
}

function tableOf(
  head: string,
  names: readonly string[],
  roundTrips: readonly RoundTrip[],
  money: MoneyFormat,
  placeOf: (time: number) => number,
): Breakdown {
  const groups = Map.groupBy(roundTrips, ({ entryTime }) => placeOf(entryTime))
  return {
    title: `By ${head.toLowerCase()} of entry, UTC`,
    head: [head, 'Round trips', 'Win rate', 'Net profit', 'of longs', 'of shorts'],
    rows: names.flatMap((name, place) => {
      const group = groups.get(place)
      if (group === undefined) return []
      const wins = group.filter(({ pnl }) => pnl > ZERO).length
      const profitOf = (side: readonly RoundTrip[]) =>
        valueText(amountToNumber(side.map(({ pnl }) => pnl).reduce(add, ZERO)), 'money', money)
      const sides = (['long', 'short'] as const).map(direction => {
        const own = group.filter(trip => trip.direction === direction)
        return own.length === 0 ? '–' : profitOf(own)
      })
      const winRate = valueText(wins / group.length, 'percent', money)
      return [[name, fixed(group.length, 0), winRate, profitOf(group), ...sides]]
    }),
  }
}

import { wholeBook } from '../../../src/domain/book-names.ts'
import { amountToNumber } from '../../../src/domain/numbers/amount.ts'
import { orderWord } from '../../../src/domain/orders/order-words.ts'
import type { RoundTrip } from '../../../src/domain/round-trip.ts'
import type { PageTrips } from '../page-data.ts'
import type { TradingReport } from '../trading-report.ts'

/** The round trips of a report in one book, for a page. */
export function pageTrips(report: TradingReport, book: string): PageTrips {
  const { adverse, favorable, returns } = report.metrics.columns
  const ambiguous = report.ambiguity && new Set(report.ambiguity.roundTrips)
  const rows = report.roundTrips.flatMap((trip, row) =>
    wholeBook(trip.book) === book ? [{ trip, row }] : [],
  )
  const column = (valueIn: (trip: RoundTrip) => number) => rows.map(({ trip }) => valueIn(trip))
  const fractions = (values: Float64Array) => rows.map(({ row }) => Number((values[row] ?? 0).toFixed(6)))
  // More digits than shown, so that a small loss does not round to zero.
  const money = (value: number) => Number(value.toPrecision(10))
  const names = [
    ...new Set(
      rows.flatMap(({ trip: { exitReason, tag } }) => [
        orderWord(exitReason),
        ...(tag === undefined ? [] : [tag]),
      ]),
    ),
  ]
  const places = new Map(names.map((name, place) => [name, place]))
  const place = (name: string | undefined) => (name === undefined ? -1 : (places.get(name) ?? -1))
  return {
    entryTime: column(({ entryTime }) => entryTime / 1000),
    exitTime: column(({ exitTime }) => exitTime / 1000),
    direction: column(({ direction }) => (direction === 'long' ? 1 : -1)),
    entryPrice: column(({ entryPrice }) => entryPrice),
    exitPrice: column(({ exitPrice }) => exitPrice),
    quantity: column(({ quantity }) => quantity),
    pnl: column(({ pnl }) => money(amountToNumber(pnl))),
    fees: column(({ fees }) => money(amountToNumber(fees))),
    returns: fractions(returns),
    adverse: fractions(adverse),
    favorable: fractions(favorable),
    exitReason: column(({ exitReason }) => place(orderWord(exitReason))),
    tag: column(({ tag }) => place(tag)),
    names,
    ...(ambiguous !== undefined && { ambiguous: rows.map(({ row }) => (ambiguous.has(row) ? 1 : 0)) }),
  }
}

import { closeTimeOf, type Interval, openTimeOf } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { checkKlines } from '../../klines/check/check-klines.ts'
import { klineColumnsOf } from '../../klines/formats/kline-table.ts'
import { KLINE_COLUMNS } from '../../klines/formats/layouts/kline-layouts.ts'
import type { KlineColumns } from '../../klines/kline-columns.ts'
import type { TimeSpan } from '../../klines/slice-klines.ts'
import { KlineStore } from '../../klines/store/kline-store.ts'
import { seriesText } from '../../klines/store/series-name.ts'
import type { Checked } from './check-report.ts'

/** Filter of stored klines; an omitted field matches any. */
export interface CheckedSeriesOptions {
  readonly store: string
  readonly venue?: string
  readonly symbol?: string
  readonly interval: Interval | undefined
}

/** Checks the klines of a store, series by series; throws `UsageError` if there are none. */
export function* checkedSeries({
  venue,
  symbol,
  interval,
  store: folder,
}: CheckedSeriesOptions): Generator<Checked> {
  const store = new KlineStore(folder)
  const { series, damaged } = store.list()
  let checked = 0
  for (const listing of series) {
    if (listing.series === 'funding' || listing.series === 'trades') continue
    if ((venue ?? listing.venue) !== listing.venue || (symbol ?? listing.symbol) !== listing.symbol) continue
    if ((interval ?? listing.series) !== listing.series) continue
    checked++
    yield checkedListing(store, { ...listing, interval: listing.series })
  }
  if (checked > 0) return
  throw new UsageError([`The store ${folder} has no such klines to check.`, ...damaged].join('\n'))
}

interface Listed {
  readonly venue: string
  readonly symbol: string
  readonly interval: Interval
  readonly first: number
  readonly last: number
}

function checkedListing(store: KlineStore, { venue, symbol, interval, first, last }: Listed): Checked {
  const series = store.klines({ venue, symbol, interval })
  const damage: string[] = []
  const parts = spansOf(first, last).flatMap(span => {
    try {
      return [series.read(span)]
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      damage.push(error.message)
      return []
    }
  })
  const table = { columns: joined(parts), placeOf: (row: number) => `Row ${row + 1}` }
  return { name: seriesText(series.name), report: checkKlines(table, interval), damage }
}

/** One span per month, like the files, and the times before and after the readable rows. */
function spansOf(first: number, last: number): readonly TimeSpan[] {
  const spans: TimeSpan[] = [{ to: openTimeOf(first, '1M') }]
  for (let from = openTimeOf(first, '1M'); from <= last; from = closeTimeOf(from, '1M')) {
    spans.push({ from, to: closeTimeOf(from, '1M') })
  }
  return [...spans, { from: closeTimeOf(openTimeOf(last, '1M'), '1M') }]
}

function joined(parts: readonly KlineColumns[]): KlineColumns {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const columns = KLINE_COLUMNS.map(name => {
    const column = new Float64Array(length)
    let row = 0
    for (const part of parts) {
      column.set(part[name], row)
      row += part.length
    }
    return column
  })
  return klineColumnsOf(columns)
}

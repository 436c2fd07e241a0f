import type { DataSource } from '../../../../backtest/manifest/manifest.ts'
import { klinesOfTrades } from '../../../../backtest/ticks/klines-of-trades.ts'
import type { TickData } from '../../../../backtest/ticks/tick-data.ts'
import type { Interval } from '../../../domain/market-data/interval.ts'
import { UsageError } from '../../../domain/sluice-error.ts'
import { arrivalsBetween, booksOfTops, type RecordedTrades } from '../../../klines/formats/book-columns.ts'
import { sha256Of } from '../../../klines/formats/data-file.ts'
import { readTradeColumns } from '../../../klines/formats/read-series-file.ts'
import { readTopColumns } from '../../../klines/formats/read-tick-file.ts'
import { firstRowAtOrAfter } from '../../../klines/row-search.ts'
import type { BacktestCommandOptions } from '../backtest-command-options.ts'
import type { KlinesWithoutGaps } from '../without-gaps.ts'

/** Recorded trades, klines built from them, and the sources of both. */
export interface TickInput extends KlinesWithoutGaps {
  readonly ticks: TickData
  readonly data: DataSource
  /** Source of the best bids and asks. */
  readonly bookData?: DataSource | undefined
  /** Source of the mark prices of a contract. */
  readonly markData?: DataSource | undefined
  /** Source of the orders of a recorded session. */
  readonly sessionData?: DataSource | undefined
}

/**
 * Reads trades, and the best bids and asks recorded with them, if their file is given; rejects with
 * `UsageError`.
 */
export async function tickInput(
  { from, to, book, gaps, bounds }: BacktestCommandOptions,
  file: string,
  interval: Interval,
): Promise<TickInput> {
  if (bounds === true)
    throw new UsageError(
      `${file} has trades, and trades leave no path open that --bounds could play; leave it out.`,
    )
  const all = await readTradeColumns(file)
  const trades = tradesWithin(all, {
    from: from ?? Number.NEGATIVE_INFINITY,
    to: to ?? Number.POSITIVE_INFINITY,
  })
  const klines = klinesOfTrades(trades, interval)
  const books = book === undefined ? undefined : booksOfTops(await readTopColumns(book))
  const ticks: TickData = { trades, books }
  return {
    klines,
    ticks,
    data: { path: file, sha256: await sha256Of(file), klines: all.length },
    bookData: book === undefined ? undefined : await bookSource(book, ticks),
    gaps: { policy: gaps, count: 0, missing: 0 },
  }
}

async function bookSource(path: string, { books }: TickData): Promise<DataSource> {
  return { path, sha256: await sha256Of(path), klines: books?.length ?? 0 }
}

/** Trades from `from` (included) to `to` (excluded), ms UTC. */
export function tradesWithin(
  { time, id, price, quantity, side, arrival }: RecordedTrades,
  { from, to }: { readonly from: number; readonly to: number },
): RecordedTrades {
  const [first, end] = [firstRowAtOrAfter(time, from), firstRowAtOrAfter(time, to)]
  const part = (column: Float64Array) => column.subarray(first, end)
  return {
    length: Math.max(0, end - first),
    time: part(time),
    id: part(id),
    price: part(price),
    quantity: part(quantity),
    side: part(side),
    arrival: arrivalsBetween(arrival, first, end),
  }
}

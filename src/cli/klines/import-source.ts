import { type Interval, intervalOf } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { checkInterval, type KlineGaps } from '../../klines/check-interval.ts'
import type { KlineFormat } from '../../klines/formats/kline-format.ts'
import { readKlineTable } from '../../klines/formats/read-kline-table.ts'
import { readFundingFile, readTradeColumns } from '../../klines/formats/read-series-file.ts'
import { requireSound } from '../../klines/formats/require-sound.ts'
import type { KlineColumns } from '../../klines/kline-columns.ts'
import { KlineStore } from '../../klines/store/kline-store.ts'
import type { StoredSeries } from '../../klines/store/stored-series.ts'
import type { Columns, FundingName, KlineName, TradeName } from '../../klines/store/table-layout.ts'

/** What to import, and where to. */
export interface ImportOptions {
  readonly venue: string
  readonly symbol: string
  /** Needed for klines. */
  readonly interval?: string
  /** Of the klines; otherwise the content tells. */
  readonly format?: KlineFormat
  readonly store: string
}

/** Rows of a file. */
export interface ImportedRows<Name extends string> {
  readonly rows: Columns<Name>
  /** Time of each row, ms UTC. */
  readonly times: Float64Array
  /** What the file was read as, where there are several ways. */
  readonly format?: KlineFormat
  /** What is absent, where that can be said. */
  readonly gaps?: KlineGaps
}

/** How files of a type become rows of a series. */
export interface ImportSource<Name extends string> {
  readonly series: StoredSeries<Name>
  /** Reads a file; rejects with `UsageError`. */
  read(path: string): Promise<ImportedRows<Name>>
}

/** Files of klines; throws `UsageError` without an interval. */
export function klineSource(options: ImportOptions): ImportSource<KlineName> {
  const { venue, symbol, store, format } = options
  if (options.interval === undefined) {
    throw new UsageError('Klines have an interval; say which with --interval, such as --interval 1m.')
  }
  const interval = intervalOf(options.interval)
  return {
    series: new KlineStore(store).klines({ venue, symbol, interval }),
    async read(path) {
      const table = await readKlineTable(path, { format })
      const rows = requireSound(table, path)
      return { rows, times: rows.openTime, format: table.format, gaps: gapsIn(rows, interval, path) }
    },
  }
}

/** Files of funding rates. */
export function fundingSource({ venue, symbol, store }: ImportOptions): ImportSource<FundingName> {
  return {
    series: new KlineStore(store).funding({ venue, symbol }),
    async read(path) {
      const rows = await readFundingFile(path)
      return { rows, times: rows.time }
    },
  }
}

/** Files of trades. */
export function tradeSource({ venue, symbol, store }: ImportOptions): ImportSource<TradeName> {
  return {
    series: new KlineStore(store).trades({ venue, symbol }),
    async read(path) {
      const rows = await readTradeColumns(path)
      return { rows, times: rows.time }
    },
  }
}

function gapsIn(columns: KlineColumns, interval: Interval, path: string): KlineGaps {
  try {
    return checkInterval(columns, interval)
  } catch (cause) {
    throw cause instanceof UsageError ? new UsageError(`${path}: ${cause.message}`, cause) : cause
  }
}

import type { Interval } from '../../domain/market-data/interval.ts'
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
import { requiredInterval } from './required-interval.ts'

export interface ImportOptions {
  readonly venue: string
  readonly symbol: string
  /** Needed for klines. */
  readonly interval?: string
  /** Format of the klines; default: detected from the content. */
  readonly format?: KlineFormat
  readonly store: string
}

/** Rows of a file. */
export interface ImportedRows<Name extends string> {
  readonly rows: Columns<Name>
  /** Time of each row, ms UTC. */
  readonly times: Float64Array
  /** Format of the file, if there are several. */
  readonly format?: KlineFormat
  /** Gaps, for series with an interval. */
  readonly gaps?: KlineGaps
}

/** Reader of one type of files, and the series for their rows. */
export interface ImportSource<Name extends string> {
  readonly series: StoredSeries<Name>
  /** Reads a file; rejects with `UsageError`. */
  read(path: string): Promise<ImportedRows<Name>>
}

/** Reader of kline files; throws `UsageError` without an interval. */
export function klineSource(options: ImportOptions): ImportSource<KlineName> {
  const { venue, symbol, store, format } = options
  const interval = requiredInterval(options.interval)
  return {
    series: new KlineStore(store).klines({ venue, symbol, interval }),
    async read(path) {
      const table = await readKlineTable(path, { format })
      const rows = requireSound(table, path)
      return { rows, times: rows.openTime, format: table.format, gaps: gapsIn(rows, interval, path) }
    },
  }
}

/** Reader of funding rate files. */
export function fundingSource({ venue, symbol, store }: ImportOptions): ImportSource<FundingName> {
  return {
    series: new KlineStore(store).funding({ venue, symbol }),
    async read(path) {
      const rows = await readFundingFile(path)
      return { rows, times: rows.time }
    },
  }
}

/** Reader of trade files. */
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

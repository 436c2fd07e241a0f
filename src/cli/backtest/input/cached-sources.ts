import type { KlineFile } from '../../../klines/formats/read-kline-file.ts'
import type { KlineColumns } from '../../../klines/kline-columns.ts'
import type { Strategy } from '../../../strategy/define-strategy.ts'
import type { StoredKlines, StoredKlinesOptions } from '../../stored-klines.ts'
import { type BacktestSources, READ_ANEW } from './backtest-sources.ts'

/** Klines that were read, by what they were asked by. */
export interface CachedKlines {
  readonly files: Map<string, KlineFile>
  readonly stored: Map<string, StoredKlines>
}

/** Strategies from disk, and klines as they were first read. */
export class CachedSources implements BacktestSources {
  readonly klines: CachedKlines

  /** `klines`: those that were read elsewhere. */
  constructor(klines: CachedKlines = { files: new Map(), stored: new Map() }) {
    this.klines = klines
  }

  strategy(file: string): Promise<Strategy> {
    return READ_ANEW.strategy(file)
  }

  async klineFile(path: string): Promise<KlineFile> {
    const { files } = this.klines
    const file =
      files.get(path) ?? withColumns(await READ_ANEW.klineFile(path), columns => this.kept(columns))
    files.set(path, file)
    return file
  }

  storedKlines(options: StoredKlinesOptions): StoredKlines {
    const { store, venue, symbol, interval, from, to, allowsLess, madeBy } = options
    const key = JSON.stringify([store, venue, symbol, interval, from, to, allowsLess, madeBy])
    const { stored } = this.klines
    const klines =
      stored.get(key) ?? withColumns(READ_ANEW.storedKlines(options), columns => this.kept(columns))
    stored.set(key, klines)
    return klines
  }

  /** Columns as they are kept. */
  protected kept(columns: KlineColumns): KlineColumns {
    return columns
  }
}

function withColumns<Read extends { readonly columns: KlineColumns }>(
  read: Read,
  kept: (columns: KlineColumns) => KlineColumns,
): Read {
  return { ...read, columns: kept(read.columns) }
}

/** The same, with klines in memory that all threads of the process share. */
export class SharedSources extends CachedSources {
  protected override kept(columns: KlineColumns): KlineColumns {
    const shared = (column: Float64Array) => {
      const copy = new Float64Array(new SharedArrayBuffer(column.byteLength))
      copy.set(column)
      return copy
    }
    const { length, openTime, open, high, low, close, volume } = columns
    return {
      length,
      openTime: shared(openTime),
      open: shared(open),
      high: shared(high),
      low: shared(low),
      close: shared(close),
      volume: shared(volume),
    }
  }
}

import { loadStrategy } from '../../../bot/start/load-strategy.ts'
import { type KlineFile, readKlineFile } from '../../../klines/formats/read-kline-file.ts'
import type { Strategy } from '../../../strategy/define-strategy.ts'
import { readStoredKlines, type StoredKlines, type StoredKlinesOptions } from '../../stored-klines.ts'

/** Source of a backtest's strategies and klines; its methods throw or reject with `UsageError`. */
export interface BacktestSources {
  strategy(file: string): Promise<Strategy>
  klineFile(path: string): Promise<KlineFile>
  /** Klines of a store. */
  storedKlines(options: StoredKlinesOptions): StoredKlines
}

/** Reads strategies and klines from disk, for a single backtest. */
export const READ_ANEW: BacktestSources = {
  strategy: loadStrategy,
  klineFile: readKlineFile,
  storedKlines: readStoredKlines,
}

/** Source in the options; by default everything is read from disk. */
export function sourcesOf({ sources = READ_ANEW }: { readonly sources?: BacktestSources }): BacktestSources {
  return sources
}

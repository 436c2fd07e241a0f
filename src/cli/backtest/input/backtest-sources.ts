import { loadStrategy } from '../../../bot/start/load-strategy.ts'
import { type KlineFile, readKlineFile } from '../../../klines/formats/read-kline-file.ts'
import type { Strategy } from '../../../strategy/define-strategy.ts'
import { readStoredKlines, type StoredKlines, type StoredKlinesOptions } from '../../stored-klines.ts'

/** Where a backtest has strategies and klines from; whoever asks gets a `UsageError` for what cannot be used. */
export interface BacktestSources {
  /** The strategy in a file. */
  strategy(file: string): Promise<Strategy>
  /** The klines in a file. */
  klineFile(path: string): Promise<KlineFile>
  /** Klines of a store. */
  storedKlines(options: StoredKlinesOptions): StoredKlines
}

/** Reads everything, as a process does that runs one backtest. */
export const READ_ANEW: BacktestSources = {
  strategy: loadStrategy,
  klineFile: readKlineFile,
  storedKlines: readStoredKlines,
}

/** What options say of it; by default everything is read. */
export function sourcesOf({ sources = READ_ANEW }: { readonly sources?: BacktestSources }): BacktestSources {
  return sources
}

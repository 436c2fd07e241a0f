import { FreshModules } from '../../../bot/start/fresh-modules.ts'
import { loadStrategy } from '../../../bot/start/load-strategy.ts'
import type { KlineFile } from '../../../klines/formats/read-kline-file.ts'
import type { Strategy } from '../../../strategy/define-strategy.ts'
import { PROJECT_FOLDER } from '../../project.ts'
import type { StoredKlines, StoredKlinesOptions } from '../../stored-klines.ts'
import { type BacktestSources, READ_ANEW } from '../input/backtest-sources.ts'

/** Strategies in their current version on disk, and klines as they were first read. */
export class WatchedSources implements BacktestSources {
  readonly #modules = new FreshModules(PROJECT_FOLDER)
  readonly #files = new Map<string, KlineFile>()
  readonly #stored = new Map<string, StoredKlines>()

  strategy(file: string): Promise<Strategy> {
    return loadStrategy(file, path => this.#modules.urlOf(path))
  }

  async klineFile(path: string): Promise<KlineFile> {
    const file = this.#files.get(path) ?? (await READ_ANEW.klineFile(path))
    this.#files.set(path, file)
    return file
  }

  storedKlines(options: StoredKlinesOptions): StoredKlines {
    const { store, venue, symbol, interval, from, to, allowsLess } = options
    const key = JSON.stringify([store, venue, symbol, interval, from, to, allowsLess])
    const klines = this.#stored.get(key) ?? READ_ANEW.storedKlines(options)
    this.#stored.set(key, klines)
    return klines
  }

  /** Restores normal imports. */
  stop(): void {
    this.#modules.stop()
  }
}

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import type { StoredSeries } from '../../../src/klines/store/stored-series.ts'
import type { KlineName } from '../../../src/klines/store/table-layout.ts'
import { benchKlines } from './bench-klines.ts'

/** A year of minutes in a store of its own. */
export interface StoredYear extends Disposable {
  /** Of the store. */
  readonly folder: string
  readonly series: StoredSeries<KlineName>
  /** Paths of its files. */
  readonly files: readonly string[]
  readonly klines: number
}

/** Stores the klines of the benchmarks; they are gone when the result is disposed of. */
export async function storedYear(): Promise<StoredYear> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const series = new KlineStore(folder).klines({ venue: 'bench', symbol: 'BTC/USD', interval: '1m' })
  const { klines } = await benchKlines()
  {
    using writer = await series.openWriter()
    writer.merge(klines, 'benchmark')
  }
  const names = readdirSync(series.folder).filter(name => name.endsWith('.arrow'))
  return {
    folder,
    series,
    files: names.map(name => join(series.folder, name)),
    klines: klines.length,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

import { utcText } from '../../domain/market-data/civil-date.ts'
import { type Interval, openTimeOf } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { SluiceError } from '../../domain/sluice-error.ts'
import { columnsFrom } from '../kline-columns.ts'
import { isSoundRow, rowProblem } from '../kline-row.ts'
import type { MergeCounts } from '../store/merge-columns.ts'
import { seriesText } from '../store/series-name.ts'
import type { SeriesWriter } from '../store/series-writer.ts'
import type { StoredSeries } from '../store/stored-series.ts'
import type { KlineName } from '../store/table-layout.ts'

/** Series that klines are collected for. */
export interface KlineBatchOptions {
  readonly series: StoredSeries<KlineName>
  readonly interval: Interval
  /** Source of the klines, for the files. */
  readonly source: string
  /** Called after each write: klines up to this open time survive a crash. */
  onStored?(openTime: number): void
}

/**
 * Klines that are stored together, ten answers of the exchange: each write replaces a whole file, and a crash
 * loses no more than this.
 */
const BATCH = 3000

/** Collects klines, and stores them in batches. */
export class KlineBatch {
  readonly #options: KlineBatchOptions
  readonly #writer: SeriesWriter<KlineName>
  readonly #total = { added: 0, revised: 0, unchanged: 0 }
  #klines: Kline[] = []

  constructor(options: KlineBatchOptions, writer: SeriesWriter<KlineName>) {
    this.#options = options
    this.#writer = writer
  }

  /** Counts of the klines stored so far. */
  get total(): MergeCounts {
    return this.#total
  }

  /** Adds a kline that opens after the previous one; throws a `SluiceError` for an impossible kline. */
  add(kline: Kline): void {
    this.#requirePossible(kline)
    this.#klines.push(kline)
    if (this.#klines.length >= BATCH) this.store()
  }

  /** Stores the collected klines. */
  store(): void {
    const last = this.#klines.at(-1)
    if (last === undefined) return
    const counts = this.#writer.merge(columnsFrom(this.#klines), this.#options.source)
    this.#klines = []
    this.#total.added += counts.added
    this.#total.revised += counts.revised
    this.#total.unchanged += counts.unchanged
    this.#options.onStored?.(last.openTime)
  }

  #requirePossible({ openTime, open, high, low, close, volume }: Kline): void {
    const { series, interval } = this.#options
    const row = Float64Array.of(openTime, open, high, low, close, volume)
    const isDue = openTimeOf(openTime, interval) === openTime
    if (isDue && isSoundRow(row, Number.NEGATIVE_INFINITY)) return
    const problem = isDue
      ? rowProblem(Array.from(row, String), row, Number.NEGATIVE_INFINITY)
      : `opens when none of ${interval} does.`
    throw new SluiceError(
      `The exchange's kline of ${seriesText(series.name)} at ${utcText(openTime)} cannot be stored: it ${problem}`,
      { code: 'IMPOSSIBLE_KLINE', reaction: 'skip' },
    )
  }
}

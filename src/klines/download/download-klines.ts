import { type Interval, openTimeOf } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { klinesBetween } from '../check-interval.ts'
import type { MergeCounts } from '../store/merge-columns.ts'
import type { StoredSeries } from '../store/stored-series.ts'
import type { KlineName } from '../store/table-layout.ts'
import { type AbsentSpan, absentSpans, firstOpenTime } from './absent-spans.ts'
import { KlineBatch } from './kline-batch.ts'

/** What is downloaded, from where, and to where. */
export interface KlineDownload {
  readonly series: StoredSeries<KlineName>
  readonly interval: Interval
  /** First open time, ms UTC. */
  readonly from: number
  /** End of the open times (not included), ms UTC. */
  readonly to: number
  /** The exchange's time, ms UTC: klines that have not closed by then are left out. */
  readonly now: number
  /** Whether to ask for what is there already too. */
  readonly again: boolean
  /** Where the klines are from, for the files. */
  readonly source: string
  /** Klines that open from `from` to `to`, both included, oldest first; ends early where it rejects. */
  read(from: number, to: number): AsyncIterable<Kline>
  /** Called once, before anything is read, with the klines that are to be asked for. */
  onPlan?(klines: number): void | Promise<void>
  /** Called after every kline read, with how many of those have been passed. */
  onRead?(klinesPassed: number): void
  /** Called each time that klines were stored: those up to this open time outlive whatever happens. */
  onStored?(openTime: number): void
}

/** Klines in one answer of the exchange. */
const PAGE = 300

/**
 * Fetches what the store lacks between two times, and stores it batch by batch. Where `read` rejects, what came before is
 * stored, and the same download later goes on from there. Rejects with that error, or with `UsageError`.
 */
export async function downloadKlines(download: KlineDownload): Promise<MergeCounts> {
  using writer = await download.series.openWriter()
  const batch = new KlineBatch(download, writer)
  const spans = spansOf(download)
  const lengths = spans.map(({ from, to }) => klinesBetween(from, to, download.interval))
  await download.onPlan?.(lengths.reduce((sum, length) => sum + length, 0))
  let passed = 0
  try {
    for (const [index, span] of spans.entries()) {
      await readSpan(download, span, batch, passed)
      batch.store()
      passed += lengths[index] ?? 0
      download.onRead?.(passed)
    }
  } finally {
    batch.store()
  }
  return batch.total
}

function spansOf({ series, interval, from, to, now, again }: KlineDownload): readonly AbsentSpan[] {
  const span = {
    from: firstOpenTime(from, interval),
    to: Math.min(firstOpenTime(to, interval), openTimeOf(now, interval)),
  }
  if (span.from >= span.to) return []
  return again ? [span] : absentSpans(series.read(span).openTime, span, interval, PAGE)
}

async function readSpan(
  { read, interval, onRead }: KlineDownload,
  { from, to }: AbsentSpan,
  batch: KlineBatch,
  passedBefore: number,
): Promise<void> {
  for await (const kline of read(from, to - 1)) {
    batch.add(kline)
    onRead?.(passedBefore + klinesBetween(from, kline.openTime, interval) + 1)
  }
}

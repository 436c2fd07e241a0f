import { openTimeOf } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { klinesBetween } from '../check-interval.ts'
import type { MergeCounts } from '../store/merge-columns.ts'
import { type AbsentSpan, absentSpans, firstOpenTime } from './absent-spans.ts'
import { KlineBatch, type KlineBatchOptions } from './kline-batch.ts'

/** Klines to download, their reader, and their target. */
export interface KlineDownload extends KlineBatchOptions {
  /** First open time, ms UTC. */
  readonly from: number
  /** End of the open times (not included), ms UTC. */
  readonly to: number
  /** Exchange time, ms UTC: klines that have not closed by then are left out. */
  readonly now: number
  /** True also fetches klines that are already stored. */
  readonly again: boolean
  /** Klines that open from `from` to `to`, both included, oldest first; ends early if it rejects. */
  read(from: number, to: number): AsyncIterable<Kline>
  /** Called once, before anything is read, with the number of klines to read. */
  onPlan?(klines: number): void | Promise<void>
  /** Called after every kline read, with the number passed so far. */
  onRead?(klinesPassed: number): void
}

/** Klines in one answer of the exchange. */
const PAGE = 300

/**
 * Fetches the klines that the store lacks between two times, and stores them in batches. If `read` rejects,
 * the klines before are stored, and the same download later continues from there. Rejects with that error, or
 * with `UsageError`.
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

import { utcText } from '../../domain/market-data/civil-date.ts'
import type { Interval } from '../../domain/market-data/interval.ts'
import { checkInterval } from '../../klines/check-interval.ts'
import { firstOpenTime } from '../../klines/download/absent-spans.ts'
import type { TimeSpan } from '../../klines/slice-klines.ts'
import type { MergeCounts } from '../../klines/store/merge-columns.ts'
import { seriesText } from '../../klines/store/series-name.ts'
import type { StoredSeries } from '../../klines/store/stored-series.ts'
import type { KlineName } from '../../klines/store/table-layout.ts'

export interface DownloadedKlines {
  readonly series: StoredSeries<KlineName>
  readonly interval: Interval
  readonly span: Required<TimeSpan>
  readonly counts: MergeCounts
}

/** Result of a download: what the store has of its span now, as a JSON line or as a sentence. */
export function downloadReport({ series, interval, span, counts }: DownloadedKlines, json: boolean): string {
  const klines = series.read(span)
  const { count: gaps, missing } = checkInterval(klines, interval)
  const { name, folder } = series
  if (json)
    return `${JSON.stringify({ ...name, ...span, ...counts, klines: klines.length, gaps, missing })}\n`
  const lack =
    gaps === 0 ? '' : `; ${missing} are absent at the exchange, in ${gaps} ${gaps === 1 ? 'gap' : 'gaps'}`
  return `${seriesText(name)} from ${utcText(span.from)} to ${utcText(span.to)}: ${klines.length} klines in ${folder} (${changesText(counts)})${lack}.\n`
}

/** Sentence about how far back the exchange has klines, if all that it has was asked for or it lacks the beginning. */
export function reachText({ series, interval, span }: DownloadedKlines, from: number | undefined): string {
  const [first] = series.read(span).openTime
  if (first === undefined || (from !== undefined && first <= firstOpenTime(from, interval))) return ''
  return `The exchange has no earlier ones: they begin at ${utcText(first)}.\n`
}

/** Counts of changed rows: `480 new`, or `480 new, 1 revised`. */
export function changesText({ added, revised }: MergeCounts): string {
  return revised === 0 ? `${added} new` : `${added} new, ${revised} revised`
}

import { join } from 'node:path'
import { utcText } from '../../domain/market-data/civil-date.ts'
import type { KlineGaps } from '../../klines/check-interval.ts'
import type { SeriesListing } from '../../klines/store/list-series.ts'
import type { MergeCounts } from '../../klines/store/merge-columns.ts'
import { type SeriesName, seriesPath, seriesText } from '../../klines/store/series-name.ts'

export interface ImportedFile extends MergeCounts {
  readonly path: string
  readonly rows: number
  /** Time of the first and the last row, ms UTC. */
  readonly first: number
  readonly last: number
  /** Format of a kline file. */
  readonly format?: string
  /** Gaps of klines. */
  readonly gaps?: KlineGaps
}

/** Content of a file and the counts of its import, in a line. */
export function importedFileText(file: ImportedFile, { series }: SeriesName): string {
  const { path, rows, first, last, format, gaps } = file
  const noun = series === 'funding' ? 'funding rate' : series === 'trades' ? 'trade' : 'kline'
  const of = noun === 'kline' ? ` of ${series}` : ''
  const how = format === undefined ? '' : ` (${format})`
  const lack = gaps === undefined ? '' : `, ${absenceText(gaps.missing, gaps.count)}`
  return `${path}${how}: ${counted(rows, noun)}${of} from ${utcText(first)} to ${utcText(last)}${lack}: ${countsText(file)}.\n`
}

/** Content of the series after the import, in a line. */
export function importedSeriesText(listing: SeriesListing, store: string): string {
  const { rows, first, last, gaps, missing } = listing
  const lack = gaps === undefined || missing === undefined ? '' : `, ${absenceText(missing, gaps)}`
  const folder = join(store, seriesPath(listing))
  return `${seriesText(listing)} in ${folder}: ${counted(rows, 'row')} from ${utcText(first)} to ${utcText(last)}${lack}.\n`
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Missing klines, in words. */
export function absenceText(missing: number, gaps: number): string {
  if (gaps === 0) return 'no gaps'
  return `${missing} absent in ${counted(gaps, 'gap')}`
}

/** Counts of merged rows, in words. */
export function countsText({ added, revised, unchanged }: MergeCounts): string {
  const parts = [
    ...(added > 0 ? [`${added} new`] : []),
    ...(revised > 0 ? [`${revised} revised`] : []),
    ...(unchanged > 0 ? [`${unchanged} stored already`] : []),
  ]
  return parts.join(', ')
}

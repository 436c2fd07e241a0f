import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { MergeCounts } from '../store/merge-columns.ts'
import type { SeriesWriter } from '../store/series-writer.ts'
import type { StoredSeries } from '../store/stored-series.ts'
import type { Columns } from '../store/table-layout.ts'
import { ahead } from './ahead.ts'
import { type ArchiveFile, type ArchiveMonth, type ArchiveSeries, archiveMonths } from './archive-file.ts'
import type { ArchiveHost } from './archive-host.ts'

/** Times from `from` (included) to `to` (excluded), ms UTC. */
export interface ArchiveSpan {
  readonly from: number
  readonly to: number
}

/** A series of the archive, the span to download, and its place in the store. */
export interface ArchiveDownload<Name extends string> extends ArchiveSpan {
  readonly series: ArchiveSeries
  readonly host: Pick<ArchiveHost, 'save'>
  readonly target: StoredSeries<Name>
  /** Reads the rows of a saved file within a span; rejects with `UsageError`. */
  read(path: string, span: ArchiveSpan): Promise<Columns<Name>>
  /** True if the store has every row of a span. */
  isComplete?(span: ArchiveSpan): boolean
  /** Called once with the number of months. */
  onPlan?(months: number): void | Promise<void>
  /** Called after each month, with the number of those that are over. */
  onMonth?(over: number): void
  /** Called after each file: its rows survive the end of the process. */
  onStored?(file: ArchiveFile, counts: MergeCounts): void
}

/** Result of a download. */
export interface ArchiveResult extends MergeCounts {
  /** Spans of which the archive has no file, ascending. */
  readonly absent: readonly ArchiveSpan[]
}

/** Files that are fetched at the same time. */
const MOST_AT_ONCE = 4

/**
 * Downloads what the store lacks of a span, month by month: the file of the month, or if the archive does not
 * have it (yet) those of its days; of trades, whose months take gigabytes, days first. Each file is stored as a
 * whole, so that the same download later goes on after the last one. Rejects with `ArchiveError` or `UsageError`;
 * the files before stay.
 */
export async function downloadArchive<Name extends string>(
  download: ArchiveDownload<Name>,
): Promise<ArchiveResult> {
  using writer = await download.target.openWriter()
  const months = archiveMonths(download.series, download)
  await download.onPlan?.(months.length)
  const total = { added: 0, revised: 0, unchanged: 0 }
  const absent: ArchiveSpan[] = []
  const take = async (files: readonly ArchiveFile[]) => {
    const lacking: ArchiveFile[] = []
    for await (const saved of ahead(files, MOST_AT_ONCE, file => saveIfNeeded(download, file))) {
      if (saved.path === undefined) {
        if (!saved.isStored) lacking.push(saved.file)
        continue
      }
      const counts = await storeFile(download, writer, saved.file, saved.path)
      total.added += counts.added
      total.revised += counts.revised
      total.unchanged += counts.unchanged
      download.onStored?.(saved.file, counts)
    }
    return lacking
  }
  for (const [index, month] of months.entries()) {
    for (const file of await takeMonth(download.series, month, take)) addSpan(absent, within(file, download))
    download.onMonth?.(index + 1)
  }
  return { ...total, absent }
}

/** Stores the files of a month; returns those that the archive lacks. */
async function takeMonth(
  { type }: ArchiveSeries,
  { month, days }: ArchiveMonth,
  take: (files: readonly ArchiveFile[]) => Promise<readonly ArchiveFile[]>,
): Promise<readonly ArchiveFile[]> {
  if (type === 'fundingRate') return take([month])
  if (type === 'klines') return (await take([month])).length === 0 ? [] : take(days)
  const lacking = await take(days)
  return lacking.length === 0 || (await take([month])).length === 0 ? [] : lacking
}

interface SavedFile {
  readonly file: ArchiveFile
  /** True if the store has its rows already. */
  readonly isStored: boolean
  /** Path of the saved file; `undefined` if it is stored already, or not in the archive. */
  readonly path?: string
}

async function saveIfNeeded<Name extends string>(
  download: ArchiveDownload<Name>,
  file: ArchiveFile,
): Promise<SavedFile> {
  if (isStored(download, file)) return { file, isStored: true }
  // Named like the temporary files of the store, which the next writer removes.
  const path = join(download.target.folder, `.${file.name}.tmp`)
  const isThere = await download.host.save(file, path)
  return isThere ? { file, isStored: false, path } : { file, isStored: false }
}

function isStored<Name extends string>(download: ArchiveDownload<Name>, file: ArchiveFile): boolean {
  const span = within(file, download)
  if (download.isComplete?.(span)) return true
  const { target } = download
  for (let time = span.from; time < span.to; time = target.fileEnd(time))
    if (!target.sourcesAt(time).includes(sourceOf(file, file))) return false
  return true
}

async function storeFile<Name extends string>(
  download: ArchiveDownload<Name>,
  writer: SeriesWriter<Name>,
  file: ArchiveFile,
  path: string,
): Promise<MergeCounts> {
  const span = within(file, download)
  const counts = writer.merge(await download.read(path, span), sourceOf(file, span))
  rmSync(path)
  return counts
}

/** Name in the store; a file that was stored in part must be fetched again for the rest. */
function sourceOf({ name, from, to }: ArchiveFile, span: ArchiveSpan): string {
  const isWhole = span.from === from && span.to === to
  return `binance ${name}${isWhole ? '' : ', in part'}`
}

function within(file: ArchiveSpan, { from, to }: ArchiveSpan): ArchiveSpan {
  return { from: Math.max(file.from, from), to: Math.min(file.to, to) }
}

function addSpan(spans: ArchiveSpan[], span: ArchiveSpan): void {
  const last = spans.at(-1)
  if (last?.to === span.from) spans[spans.length - 1] = { from: last.from, to: span.to }
  else spans.push(span)
}

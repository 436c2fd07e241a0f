import { join } from 'node:path'
import { UsageError } from '../../domain/sluice-error.ts'
import { takeFileLock } from '../../files/file-lock.ts'
import type { TimeSpan } from '../slice-klines.ts'
import { columnsWithin } from './columns-within.ts'
import { fileNameAt, isFileName, periodEnd } from './file-period.ts'
import { filesIn, listSeriesIn, type SeriesListing } from './list-series.ts'
import { makeFolder, removeLeftovers } from './replace-file.ts'
import { type SeriesName, seriesPath, seriesText } from './series-name.ts'
import type { SeriesWriter } from './series-writer.ts'
import {
  mostRowsIn,
  readStoredColumns,
  readStoredFile,
  readStoredMetadata,
  type StoredFile,
} from './stored-file.ts'
import { type Columns, type TableLayout, tableOf } from './table-layout.ts'

/** Lock file: its owner may write in the folder. */
const LOCK_FILE = '.lock'

/** One series of the store: klines of one interval, funding rates or trades of one market. */
export class StoredSeries<Name extends string> {
  readonly name: SeriesName
  /** Folder of its files. */
  readonly folder: string
  readonly #layout: TableLayout<Name>

  /** Throws `UsageError` for an invalid name. */
  constructor(store: string, name: SeriesName, layout: TableLayout<Name>) {
    this.name = name
    this.folder = join(store, seriesPath(name))
    this.#layout = layout
  }

  /**
   * Rows from `from` (included) to `to` (excluded), possibly none. Rows of one file are views of its bytes;
   * of several files each column is read directly into place, without copies. Throws `UsageError` for a
   * damaged file, with its name and a remedy.
   */
  read(span: TimeSpan = {}): Columns<Name> {
    const [file, ...others] = this.#filesWithin(span)
    if (file === undefined) return tableOf(this.#layout, [])
    const columns = others.length === 0 ? readStoredFile(file).columns : readTogether([file, ...others])
    return tableOf(this.#layout, columnsWithin(columns, span))
  }

  /** Time of the first and of the last row, ms UTC; `undefined` without rows. */
  extent(): { readonly first: number; readonly last: number } | undefined {
    const files = this.#filesWithin({})
    const [oldest, newest] = [files[0], files.at(-1)]
    if (oldest === undefined || newest === undefined) return undefined
    return { first: readStoredMetadata(oldest).first, last: readStoredMetadata(newest).last }
  }

  /** Sources of the file for a time (ms UTC), in the order in which they were stored; none without the file. */
  sourcesAt(time: number): readonly string[] {
    const [file] = this.#filesWithin({ from: time, to: time + 1 })
    return file === undefined ? [] : readStoredMetadata(file).sources
  }

  /** Time at which the file for a time begins to hold rows of the next file, ms UTC. */
  fileEnd(time: number): number {
    return periodEnd(time, this.#layout.filePer)
  }

  /** Summary by the metadata of the usable files; `undefined` if there is none. */
  list(): SeriesListing | undefined {
    return listSeriesIn(this.folder, this.name)
  }

  /**
   * Opens the series for writing: one writer at a time over all processes; rejects with `UsageError` while
   * there is another.
   */
  async openWriter(): Promise<SeriesWriter<Name>> {
    // Loading the Arrow writer takes a tenth of a second.
    const { SeriesWriter } = await import('./series-writer.ts')
    makeFolder(this.folder)
    const unlock = takeFileLock(join(this.folder, LOCK_FILE))
    if (unlock === undefined) {
      throw new UsageError(
        `Another command writes ${seriesText(this.name)} in ${this.folder} at this moment; wait until it has ended.`,
      )
    }
    removeLeftovers(this.folder)
    return new SeriesWriter({ folder: this.folder, name: this.name, layout: this.#layout, unlock })
  }

  #filesWithin({ from, to }: TimeSpan): StoredFile[] {
    const { filePer: period, fields } = this.#layout
    const width = fields.length
    const first = from === undefined ? '' : fileNameAt(from, period)
    const last = to === undefined ? '~' : fileNameAt(to - 1, period)
    return filesIn(this.folder)
      .filter(name => isFileName(name, period) && name >= first && name <= last)
      .sort()
      .map(name => ({ path: join(this.folder, name), name: this.name, period, width }))
  }
}

/** Rows of consecutive files. */
function readTogether(files: readonly StoredFile[]): Float64Array[] {
  const count = files[0]?.width ?? 0
  // Untouched memory costs nothing.
  const most = files.reduce((sum, file) => sum + mostRowsIn(file), 0)
  // Not `new Float64Array(most)`, which would first fill with zeros.
  const all = Array.from({ length: count }, () => new Float64Array(Buffer.allocUnsafeSlow(most * 8).buffer))
  let rows = 0
  for (const file of files) {
    const read = readStoredColumns(file, all, rows)
    // Another process has stored more in the meantime.
    if (read === undefined) return readTogether(files)
    rows += read.rows
  }
  return all.map(column => column.subarray(0, rows))
}

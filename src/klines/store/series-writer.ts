import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { closeTimeOf } from '../../domain/market-data/interval.ts'
import { syncFolder } from '../../files/sync.ts'
import { firstRowAtOrAfter } from '../row-search.ts'
import { checkRows } from './check-rows.ts'
import { ColumnRoom } from './column-room.ts'
import { encodeTable } from './encode-table.ts'
import { fileNameAt, periodEnd } from './file-period.ts'
import { type MergeCounts, mergeColumns } from './merge-columns.ts'
import { replaceFile } from './replace-file.ts'
import type { SeriesName } from './series-name.ts'
import { mostRowsIn, readStoredColumns } from './stored-file.ts'
import type { TableFile } from './table-file.ts'
import { type Columns, columnsOf, fieldsOf, type TableLayout } from './table-layout.ts'

interface WriterOptions<Name extends string> {
  readonly folder: string
  readonly name: SeriesName
  readonly layout: TableLayout<Name>
  unlock(): void
}

/** Most sources that a file keeps, and most characters of each: they must fit into its head. */
const [MOST_SOURCES, MOST_CHARACTERS] = [10, 200]

/** Writes to one series, until it is closed or its process ends. */
export class SeriesWriter<Name extends string> implements Disposable {
  readonly #options: WriterOptions<Name>
  readonly #storedRoom = new ColumnRoom()
  readonly #mergedRoom = new ColumnRoom()

  /** Use `StoredSeries.openWriter`, which takes the lock. */
  constructor(options: WriterOptions<Name>) {
    this.#options = options
  }

  /**
   * Merges ascending rows; a new row replaces the existing one with the same keys. Each file is replaced as a
   * whole, the oldest first: rows that `onStored` has counted survive the end of the process, and after this
   * method returns all rows survive a crash of the machine. A file whose rows do not change is not written.
   * `source` is kept in the files. Throws `UsageError` for impossible rows, and then stores none of them.
   */
  merge(rows: Columns<Name>, source: string, onStored?: (rows: number) => void): MergeCounts {
    const { layout, name } = this.#options
    const columns = columnsOf(layout, rows)
    checkRows(columns, layout.keys, name)
    const times = columns[0] ?? new Float64Array()
    const total = { added: 0, revised: 0, unchanged: 0 }
    for (let start = 0; start < times.length; ) {
      const time = times[start] as number // inside the bounds
      const end = firstRowAtOrAfter(times, periodEnd(time, layout.filePer))
      const counts = this.#mergeFile(
        fileNameAt(time, layout.filePer),
        columns.map(column => column.subarray(start, end)),
        source,
      )
      total.added += counts.added
      total.revised += counts.revised
      total.unchanged += counts.unchanged
      onStored?.(end)
      start = end
    }
    if (total.added + total.revised > 0) syncFolder(this.#options.folder)
    return total
  }

  /** Releases the lock for other writers. */
  close(): void {
    this.#options.unlock()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #mergeFile(file: string, rows: readonly Float64Array[], source: string): MergeCounts {
    const { folder, layout, name } = this.#options
    const path = join(folder, file)
    const stored = existsSync(path) ? this.#read(path) : undefined
    const { columns, counts } = mergeColumns(stored?.columns ?? [], rows, layout.keys, this.#mergedRoom)
    if (counts.added + counts.revised === 0) return counts
    const times = columns[0] ?? new Float64Array()
    const metadata = {
      ...name,
      sources: sourcesWith(stored?.metadata.sources ?? [], source),
      rows: times.length,
      // A file has at least one row.
      first: times[0] as number,
      last: times.at(-1) as number,
      ...gapsIn(times, name),
    }
    replaceFile(path, encodeTable(columns, metadata, fieldsOf(layout)))
    return counts
  }

  #read(path: string): TableFile {
    const { layout, name } = this.#options
    const width = layout.fields.length
    const file = { path, name, period: layout.filePer, width }
    const room = this.#storedRoom.take(width, mostRowsIn(file))
    const metadata = readStoredColumns(file, room, 0)
    // Another process has just put a larger file there.
    if (metadata === undefined) return this.#read(path)
    return { columns: room.map(column => column.subarray(0, metadata.rows)), metadata }
  }
}

function sourcesWith(sources: readonly string[], source: string): readonly string[] {
  return [...new Set([...sources, source.slice(0, MOST_CHARACTERS)])].slice(-MOST_SOURCES)
}

/** Number of gaps between the first and the last kline. */
function gapsIn(times: Float64Array, { series }: SeriesName): { readonly gaps?: number } {
  if (series === 'funding' || series === 'trades') return {}
  let gaps = 0
  for (let row = 1; row < times.length; row++) {
    // Both rows exist.
    if (closeTimeOf(times[row - 1] as number, series) < (times[row] as number)) gaps++
  }
  return { gaps }
}

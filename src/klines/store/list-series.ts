import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { closeTimeOf } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { klinesBetween } from '../check-interval.ts'
import type { FileMetadata } from './file-metadata.ts'
import { isFileName } from './file-period.ts'
import { type SeriesName, seriesIn } from './series-name.ts'
import { readStoredMetadata } from './stored-file.ts'
import { layoutOf } from './table-layout.ts'

/** Summary of one series of the store. */
export interface SeriesListing extends SeriesName {
  /** Time of the first row, ms UTC. */
  readonly first: number
  /** Time of the last row, ms UTC. */
  readonly last: number
  readonly rows: number
  /** Number of gaps; `undefined` for a series without an interval. */
  readonly gaps: number | undefined
  /** Number of missing klines in all gaps; `undefined` for a series without an interval. */
  readonly missing: number | undefined
  readonly files: number
  readonly bytes: number
}

/** Content of a store. */
export interface StoreListing {
  /** Sorted by venue, symbol and series. */
  readonly series: readonly SeriesListing[]
  /** One sentence about each unusable file. */
  readonly damaged: readonly string[]
}

/** Lists a store by the metadata of its files, without reading their rows. */
export function listSeries(store: string): StoreListing {
  const damaged: string[] = []
  const series: SeriesListing[] = []
  for (const venue of foldersIn(store)) {
    for (const symbol of foldersIn(join(store, venue))) {
      for (const kind of foldersIn(join(store, venue, symbol))) {
        const name = seriesIn(venue, symbol, kind)
        if (name === undefined) continue
        const listing = listSeriesIn(join(store, venue, symbol, kind), name, damaged)
        if (listing !== undefined) series.push(listing)
      }
    }
  }
  return { series, damaged }
}

/**
 * Summary of one series, from its folder; `undefined` if there is none. Adds a sentence about each unusable
 * file to `damaged`.
 */
export function listSeriesIn(
  folder: string,
  name: SeriesName,
  damaged: string[] = [],
): SeriesListing | undefined {
  return listingOf(name, filesOf(folder, name, damaged))
}

interface SizedMetadata extends FileMetadata {
  readonly bytes: number
}

function filesOf(folder: string, name: SeriesName, damaged: string[]): SizedMetadata[] {
  const files: SizedMetadata[] = []
  const { filePer: period, fields } = layoutOf(name.series)
  for (const file of filesIn(folder).sort()) {
    if (!isFileName(file, period)) continue
    const path = join(folder, file)
    try {
      files.push({
        ...readStoredMetadata({ path, name, period, width: fields.length }),
        bytes: statSync(path).size,
      })
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      damaged.push(error.message)
    }
  }
  return files
}

function listingOf(name: SeriesName, files: readonly SizedMetadata[]): SeriesListing | undefined {
  const [oldest, newest] = [files[0], files.at(-1)]
  if (oldest === undefined || newest === undefined) return undefined
  const rows = sumOf(files, file => file.rows)
  return {
    ...name,
    first: oldest.first,
    last: newest.last,
    rows,
    ...absenceOf(name, files, rows),
    files: files.length,
    bytes: sumOf(files, file => file.bytes),
  }
}

function absenceOf(
  { series }: SeriesName,
  files: readonly FileMetadata[],
  rows: number,
): Pick<SeriesListing, 'gaps' | 'missing'> {
  if (series === 'funding' || series === 'trades') return { gaps: undefined, missing: undefined }
  const ends = files.map(({ last }) => closeTimeOf(last, series))
  const between = files.filter(({ first }, index) => first > (ends[index - 1] ?? first))
  const [start, end] = [files[0]?.first ?? 0, ends.at(-1) ?? 0]
  return {
    gaps: sumOf(files, file => file.gaps ?? 0) + between.length,
    missing: klinesBetween(start, end, series) - rows,
  }
}

function sumOf<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0)
}

/** Names of the folders in a folder, sorted; empty if it does not exist. */
export function foldersIn(folder: string): string[] {
  const folders = entriesIn(folder).filter(entry => entry.isDirectory())
  return folders.map(({ name }) => name).sort()
}

/** Names in a folder; empty if it does not exist. */
export function filesIn(folder: string): string[] {
  return entriesIn(folder).map(({ name }) => name)
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

import { basename } from 'node:path'
import { UsageError } from '../../domain/sluice-error.ts'
import type { SeriesListing } from '../../klines/store/list-series.ts'
import type { OutputStreams } from '../streams.ts'
import { dataPaths } from './data-paths.ts'
import { type ImportedFile, importedFileText, importedSeriesText } from './import-report.ts'
import {
  fundingSource,
  type ImportOptions,
  type ImportSource,
  klineSource,
  tradeSource,
} from './import-source.ts'

export interface ImportCommandOptions extends ImportOptions {
  /** Paths, and patterns of paths. */
  readonly files: readonly string[]
  readonly type: 'klines' | 'funding' | 'trades'
  /** Write JSON lines. */
  readonly json: boolean
}

/** Reports a fact, as JSON and in words. */
type Tell = (fact: object, text: string) => void

/**
 * Reads files into the store, one after the other, and reports each once it is stored; resolves to exit code
 * 0, rejects with `UsageError`. Repeating the command, after any interruption, gives the same store.
 */
export async function runImport(options: ImportCommandOptions, { out }: OutputStreams): Promise<number> {
  const paths = dataPaths(options.files)
  if (paths.length === 0)
    throw new UsageError('There is no file to import but checksums; give the files themselves.')
  const tell: Tell = (fact, text) => {
    const told = options.json ? `${JSON.stringify(fact)}\n` : text
    if (told !== '') out.write(told)
  }
  const listing = await importAs(options, paths, tell)
  if (listing !== undefined) tell(listing, importedSeriesText(listing, options.store))
  return 0
}

function importAs(
  options: ImportCommandOptions,
  paths: readonly string[],
  tell: Tell,
): Promise<SeriesListing | undefined> {
  if (options.type === 'funding') return importAll(fundingSource(options), paths, tell)
  if (options.type === 'trades') return importAll(tradeSource(options), paths, tell)
  return importAll(klineSource(options), paths, tell)
}

async function importAll<Name extends string>(
  { series, read }: ImportSource<Name>,
  paths: readonly string[],
  tell: Tell,
): Promise<SeriesListing | undefined> {
  using writer = await series.openWriter()
  for (const path of paths) {
    const { rows, times, ...facts } = await read(path)
    const counts = writer.merge(rows, `file ${basename(path)}`, stored =>
      tell({ storedUntil: times[stored - 1] }, ''),
    )
    // A file has at least one row.
    const [first, last] = [times[0] as number, times.at(-1) as number]
    const file: ImportedFile = { path, rows: rows.length, first, last, ...facts, ...counts }
    tell(file, importedFileText(file, series.name))
  }
  return series.list()
}

import { UsageError } from '../../domain/sluice-error.ts'
import { type DataFile, openDataFile } from './data-file.ts'
import { binaryFormatOf, TEXT_FORMATS, textFormatOf } from './detect-format.ts'
import type { KlineFormat, TextKlineFormat } from './kline-format.ts'
import { type KlineFileTable, klineColumnsOf } from './kline-table.ts'
import { KLINE_COLUMNS } from './layouts/kline-layouts.ts'
import { fittingLayout } from './layouts/recognise-layout.ts'
import { TRADE_ROWS } from './layouts/trade-layouts.ts'
import { readTextTable } from './text/read-text-table.ts'
import { type OnUnreadableRow, refuseUnreadable } from './text/unreadable-row.ts'
import { TradeFileError } from './trade-file-error.ts'

export interface ReadKlineOptions {
  /** Default: detected from the content. */
  readonly format?: KlineFormat | undefined
  /** Receives rows that cannot be parsed; without it, the first one is an error. */
  readonly onUnreadable?: OnUnreadableRow
}

/**
 * Reads the unchecked klines of a file; rejects with `UsageError` for a missing or damaged file, or one of
 * another format.
 */
export async function readKlineTable(path: string, options: ReadKlineOptions = {}): Promise<KlineFileTable> {
  const file = await openDataFile(path, 'kline file')
  const onUnreadable = options.onUnreadable ?? refuseUnreadable(path)
  const binary = binaryFormatOf(file)
  refuseOther(file, options.format, binary)
  // Loading the Arrow and Parquet readers takes a tenth of a second.
  if (binary === 'arrow') {
    const { readArrowKlines } = await import('./arrow/arrow-klines.ts')
    return { ...(await readArrowKlines(file, onUnreadable)), format: binary }
  }
  if (binary === 'parquet') {
    const { readParquetKlines } = await import('./parquet/parquet-klines.ts')
    return { ...(await readParquetKlines(file, onUnreadable)), format: binary }
  }
  return readTextKlines(file, options.format, onUnreadable)
}

async function readTextKlines(
  file: DataFile,
  wanted: KlineFormat | undefined,
  onUnreadable: OnUnreadableRow,
): Promise<KlineFileTable> {
  let format: TextKlineFormat = 'csv'
  const { columns, placeOf } = await readTextTable(file, {
    width: KLINE_COLUMNS.length,
    recognise: start => {
      if (fittingLayout(start, TRADE_ROWS) !== undefined) throw new TradeFileError(file.path)
      const found = textFormatOf(start, file.path)
      format = wanted === undefined || wanted === 'arrow' || wanted === 'parquet' ? found : wanted
      return TEXT_FORMATS[format]
    },
    onUnreadable,
  })
  return { columns: klineColumnsOf(columns), placeOf, format }
}

/** Throws `UsageError` if the requested format does not match the file. */
function refuseOther({ path }: DataFile, wanted: KlineFormat | undefined, binary: KlineFormat | undefined) {
  const isBinary = wanted === 'arrow' || wanted === 'parquet'
  if (wanted === undefined || (isBinary ? wanted === binary : binary === undefined)) return
  const found = binary === undefined ? 'a text (or packed)' : `of the format ${binary}`
  throw new UsageError(
    `The kline file ${path} is not of the format ${wanted}, but ${found}; leave out --format.`,
  )
}

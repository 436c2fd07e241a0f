import type { KlineColumns } from '../kline-columns.ts'

/** A format that klines can be written in: this project's CSV, Arrow IPC (feather, as freqtrade has it), Parquet. */
export type ExportFormat = 'csv' | 'arrow' | 'parquet'

/** Every format that klines can be written in. */
export const EXPORT_FORMATS: readonly ExportFormat[] = ['csv', 'arrow', 'parquet']

/** Bytes of a file of klines; every value is read back as it is. */
export async function encodeKlines(columns: KlineColumns, format: ExportFormat): Promise<Uint8Array> {
  switch (format) {
    case 'csv':
      return (await import('./text/encode-csv.ts')).encodeCsv(columns)
    case 'arrow':
      return (await import('./arrow/encode-arrow.ts')).encodeArrow(columns)
    case 'parquet':
      return (await import('./parquet/encode-parquet.ts')).encodeParquet(columns)
  }
}

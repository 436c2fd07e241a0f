import type { KlineColumns } from '../kline-columns.ts'

/** An export format: this project's CSV, Arrow IPC (feather, like freqtrade), Parquet. */
export type ExportFormat = 'csv' | 'arrow' | 'parquet'

export const EXPORT_FORMATS: readonly ExportFormat[] = ['csv', 'arrow', 'parquet']

/** Bytes of a kline file; every value is read back exactly. */
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

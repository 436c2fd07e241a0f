import { gzipSync } from 'node:zlib'
import { UsageError } from '../../domain/sluice-error.ts'
import { type ExportFormat, encodeKlines } from '../../klines/formats/encode-klines.ts'
import type { KlineColumns } from '../../klines/kline-columns.ts'
import { writeAtomically } from '../write-atomically.ts'

const ENDINGS: readonly (readonly [RegExp, ExportFormat])[] = [
  [/\.csv(\.gz)?$/i, 'csv'],
  [/\.(arrow|feather)$/i, 'arrow'],
  [/\.parquet$/i, 'parquet'],
]

/** Export format by a file's extension; throws `UsageError` for an unknown one. */
export function exportFormatOf(path: string): ExportFormat {
  const format = ENDINGS.find(([ending]) => ending.test(path))?.[1]
  if (format !== undefined) return format
  throw new UsageError(
    `${path} has no known file extension; use .csv, .csv.gz, .arrow, .feather or .parquet.`,
  )
}

/**
 * Writes klines into a file, in the format of its name, completely or not at all; rejects with `UsageError`.
 */
export async function writeKlineFile(path: string, columns: KlineColumns): Promise<void> {
  const bytes = await encodeKlines(columns, exportFormatOf(path))
  writeAtomically(path, path.toLowerCase().endsWith('.gz') ? gzipSync(bytes) : bytes)
}

import { UsageError } from '../../domain/sluice-error.ts'
import type { DataFile } from './data-file.ts'
import { KLINE_FORMATS, type TextKlineFormat } from './kline-format.ts'
import { BINANCE_KLINE_ROWS, KLINE_ROWS } from './layouts/kline-layouts.ts'
import { firstRecord } from './text/first-record.ts'
import type { TextFormat } from './text/read-text-table.ts'

const SPACE = 32

/** Format of a binary file, by its first bytes. */
export function binaryFormatOf({ head }: DataFile): 'arrow' | 'parquet' | undefined {
  const start = head.toString('latin1')
  if (start.startsWith('ARROW1')) return 'arrow'
  return start.startsWith('PAR1') ? 'parquet' : undefined
}

/**
 * Format of a text by its start: a bracket, or the number of columns of its first line; throws `UsageError`
 * for a binary file.
 */
export function textFormatOf(start: Uint8Array, source: string): TextKlineFormat {
  if (start.includes(0)) {
    throw new UsageError(
      `${source} is neither a text nor an Arrow or Parquet file; expected ${KLINE_FORMATS.join(', ')}.`,
    )
  }
  const first = start.find(byte => byte > SPACE)
  if (first !== undefined && '[{'.includes(String.fromCharCode(first))) return 'json'
  return firstRecord(start).length === BINANCE_KLINE_ROWS.fields.length ? 'binance' : 'csv'
}

/** Notation and layout of each text format. */
export const TEXT_FORMATS = {
  csv: { notation: 'csv', layout: KLINE_ROWS },
  binance: { notation: 'csv', layout: BINANCE_KLINE_ROWS },
  json: { notation: 'json', layout: KLINE_ROWS },
} as const satisfies Record<TextKlineFormat, TextFormat>

import { UsageError } from '../../domain/sluice-error.ts'
import type { DataFile } from './data-file.ts'
import { BINANCE_KLINE_ROWS, KLINE_ROWS } from './layouts/kline-layouts.ts'
import { lineAt } from './text/csv-rows.ts'
import type { TextFormat } from './text/read-text-table.ts'

/** How a file says klines: this project's CSV, Binance's CSV dumps, freqtrade's JSON, Arrow IPC (feather is that), Parquet. */
export type KlineFormat = 'csv' | 'binance' | 'json' | 'arrow' | 'parquet'

/** A format that is text. */
export type TextKlineFormat = Exclude<KlineFormat, 'arrow' | 'parquet'>

/** Every format. */
export const KLINE_FORMATS: readonly KlineFormat[] = ['csv', 'binance', 'json', 'arrow', 'parquet']

const SPACE = 32

/** The format of a file that is no text, by its first bytes. */
export function binaryFormatOf({ head }: DataFile): 'arrow' | 'parquet' | undefined {
  const start = head.toString('latin1')
  if (start.startsWith('ARROW1')) return 'arrow'
  return start.startsWith('PAR1') ? 'parquet' : undefined
}

/** The format of a text, by how it starts: a bracket, or a first line of so many columns; throws `UsageError` for what is no text. */
export function textFormatOf(start: Uint8Array, source: string): TextKlineFormat {
  if (start.includes(0)) {
    throw new UsageError(
      `${source} is neither a text nor an Arrow or Parquet file; expected ${KLINE_FORMATS.join(', ')}.`,
    )
  }
  const first = start.find(byte => byte > SPACE)
  if (first !== undefined && '[{'.includes(String.fromCharCode(first))) return 'json'
  return lineAt(start, 0).split(',').length === BINANCE_KLINE_ROWS.fields.length ? 'binance' : 'csv'
}

/** How to read a text of a format. */
export const TEXT_FORMATS = {
  csv: { notation: 'csv', layout: KLINE_ROWS },
  binance: { notation: 'csv', layout: BINANCE_KLINE_ROWS },
  json: { notation: 'json', layout: KLINE_ROWS },
} as const satisfies Record<TextKlineFormat, TextFormat>

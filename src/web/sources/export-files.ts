import { parquetWriteBuffer } from 'hyparquet-writer'
import type { OrderRecord } from '../history/order-record.ts'
import type { ShownTrip } from '../history/trading-history.ts'
import type { ExportFile } from '../window-source.ts'

/** Round trips and orders of a bot, such as a `TradingHistory`. */
export interface ExportedLists {
  readonly trips: readonly ShownTrip[]
  readonly orders: { readonly all: readonly OrderRecord[] }
}

type Row = Readonly<Record<string, string>>

const COLUMNS = {
  trips:
    'symbol book direction quantity entryTime entryPrice exitTime exitPrice pnl fees quote entryReason exitReason tag',
  orders:
    'clientOrderId exchangeOrderId symbol strategy side purpose plan quantity filled status reason decidedAt endedAt',
  fills: 'clientOrderId symbol side purpose time price quantity fee liquidity',
} as const

/** Columns whose texts are numbers. */
const NUMBERS: ReadonlySet<string> = new Set(
  'quantity filled entryPrice exitPrice price pnl fees fee'.split(' '),
)
/** Columns whose numbers have a unit behind them, with the column that it is in Parquet. */
const UNITS: Readonly<Record<string, string>> = { quantity: 'unit', fee: 'feeAsset' }

const FILE = /^(trips|orders|fills)\.(csv|parquet)$/

/** True for the name of a file that there is. */
export function isExported(name: string): boolean {
  return FILE.test(name)
}

/**
 * A list of a history as CSV or Parquet, by a name such as `trips.csv`. In CSV every value is exact text; in Parquet quantities,
 * prices and money are doubles, and units columns of their own, so that a reader can sum them.
 */
export function exportFile(history: ExportedLists, name: string): ExportFile | undefined {
  const [, list, ending] = FILE.exec(name) ?? []
  if (list === undefined) return undefined
  const columns = COLUMNS[list as keyof typeof COLUMNS].split(' ') // one of the three that the pattern has
  const rows = rowsOf(history, list)
  if (ending === 'csv') return { name, type: 'text/csv; charset=utf-8', content: csvOf(columns, rows) }
  const content = parquetWriteBuffer({ columnData: columns.flatMap(column => parquetColumns(column, rows)) })
  return { name, type: 'application/vnd.apache.parquet', content: new Uint8Array(content) }
}

function rowsOf({ trips, orders: { all } }: ExportedLists, list: string): readonly Row[] {
  if (list === 'trips') return trips.map(textRow)
  if (list === 'orders') return all.map(textRow)
  return all.flatMap(({ clientOrderId, symbol, side, purpose, fills }) =>
    fills.map(fill => textRow({ clientOrderId, symbol, side, purpose, ...fill })),
  )
}

/** Times end in `Time` or `At`, or are `time`. */
function textRow(record: object): Row {
  const cells = Object.entries(record).map(([key, value]) => {
    const isTime = typeof value === 'number' && /(?:Time|At|^time)$/.test(key)
    return [key, isTime ? new Date(value).toISOString() : String(value)] as const
  })
  return Object.fromEntries(cells)
}

/** A column as Parquet has it: text, or a number with its unit in a second one. */
function parquetColumns(column: string, rows: readonly Row[]) {
  const texts = rows.map(row => row[column] ?? '')
  if (!NUMBERS.has(column)) return [textColumn(column, texts)]
  const numbers = texts.map(text => (text === '' ? null : Number(text.split(' ', 1)[0]?.replaceAll(',', ''))))
  const unit = UNITS[column]
  return [
    { name: column, data: numbers, type: 'DOUBLE' as const, nullable: true },
    ...(unit === undefined ? [] : [textColumn(unit, texts.map(unitOf))]),
  ]
}

/** `BTC` of `0.5 BTC`; one contract has the unit of several. */
function unitOf(text: string): string {
  const unit = text.slice(text.indexOf(' ') + 1)
  return unit === 'contract' ? 'contracts' : unit
}

function textColumn(name: string, data: string[]) {
  return { name, data, type: 'STRING' as const }
}

function csvOf(columns: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map(row => columns.map(column => csvField(row[column] ?? '')).join(','))
  return `${[columns.join(','), ...lines].join('\n')}\n`
}

/** A spreadsheet takes text that begins like a formula for one. */
function csvField(text: string): string {
  const safe = /^[=+@\t\r]|^-(?![\d.]+$)/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

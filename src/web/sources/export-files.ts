import { parquetWriteBuffer } from 'hyparquet-writer'
import type { TradingHistory } from '../history/trading-history.ts'
import type { ExportFile } from '../window-source.ts'

type Row = Readonly<Record<string, string>>

const COLUMNS = {
  trips:
    'symbol direction quantity entryTime entryPrice exitTime exitPrice pnl fees quote entryReason exitReason tag',
  orders:
    'clientOrderId exchangeOrderId symbol strategy side purpose plan quantity filled status reason decidedAt endedAt',
  fills: 'clientOrderId symbol side time price quantity fee liquidity',
} as const

/** A list of a history as CSV or Parquet, by a name such as `trips.csv`; every value is text, as it is exact. */
export function exportFile(history: TradingHistory, name: string): ExportFile | undefined {
  const [, list, ending] = /^(trips|orders|fills)\.(csv|parquet)$/.exec(name) ?? []
  if (list === undefined) return undefined
  const columns = COLUMNS[list as keyof typeof COLUMNS].split(' ') // one of the three that the pattern has
  const rows = rowsOf(history, list)
  if (ending === 'csv') return { name, type: 'text/csv; charset=utf-8', content: csvOf(columns, rows) }
  const content = parquetWriteBuffer({
    columnData: columns.map(column => ({
      name: column,
      data: rows.map(row => row[column] ?? ''),
      type: 'STRING' as const,
    })),
  })
  return { name, type: 'application/vnd.apache.parquet', content: new Uint8Array(content) }
}

function rowsOf(history: TradingHistory, list: string): readonly Row[] {
  if (list === 'trips') return history.trips.map(textRow)
  const orders = history.orders.all
  if (list === 'orders') return orders.map(textRow)
  return orders.flatMap(({ clientOrderId, symbol, side, fills }) =>
    fills.map(fill => textRow({ clientOrderId, symbol, side, ...fill })),
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

function csvOf(columns: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map(row => columns.map(column => csvField(row[column] ?? '')).join(','))
  return `${[columns.join(','), ...lines].join('\n')}\n`
}

/** A spreadsheet takes text that begins like a formula for one. */
function csvField(text: string): string {
  const safe = /^[=+@\t\r]|^-(?![\d.]+$)/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

import type { KlineColumns } from '../kline-columns.ts'
import type { FilePeriod } from './file-period.ts'
import type { SeriesKind } from './series-name.ts'

/** Table in columns; all columns have the same length. */
export type Columns<Name extends string = string> = { readonly length: number } & Readonly<
  Record<Name, Float64Array>
>

/** File layout of one kind of series: column names and order, row keys, and the period of one file. */
export interface TableLayout<Name extends string = string> {
  /** Columns in file order: name in memory and name in the file; the first is a time in ms UTC. */
  readonly fields: readonly (readonly [name: Name, field: string])[]
  /** Number of leading columns that identify a row; rows ascend by them. */
  readonly keys: 1 | 2
  readonly filePer: FilePeriod
}

/** Funding rates of a futures contract. */
export interface FundingColumns {
  readonly length: number
  /** Settlement time, ms UTC. */
  readonly time: Float64Array
  /** Fraction of the notional, paid by longs to shorts; negative from shorts to longs. */
  readonly rate: Float64Array
}

export interface TradeColumns {
  readonly length: number
  /** ms UTC. */
  readonly time: Float64Array
  /** The exchange's trade id, a whole number. */
  readonly id: Float64Array
  readonly price: Float64Array
  readonly quantity: Float64Array
  /** Taker's side: 1 buy, -1 sell. */
  readonly side: Float64Array
}

export type KlineName = Exclude<keyof KlineColumns, 'length'>
export type FundingName = Exclude<keyof FundingColumns, 'length'>
export type TradeName = Exclude<keyof TradeColumns, 'length'>

/** Columns of a table, in file order. */
export function columnsOf<Name extends string>(
  layout: TableLayout<Name>,
  table: Columns<Name>,
): Float64Array[] {
  return layout.fields.map(([name]) => table[name])
}

/** Table from columns in file order; without columns an empty one. */
export function tableOf<Name extends string>(
  layout: TableLayout<Name>,
  columns: readonly Float64Array[],
): Columns<Name> {
  const named = Object.fromEntries(
    layout.fields.map(([name], index) => [name, columns[index] ?? new Float64Array()]),
  )
  // Every name of the layout has its column.
  return { length: columns[0]?.length ?? 0, ...named } as Columns<Name>
}

/** Names of the columns in the file. */
export function fieldsOf<Name extends string>({ fields }: TableLayout<Name>): readonly string[] {
  return fields.map(([, field]) => field)
}

/** Klines, with the column names of this project's CSV files. */
export const KLINE_LAYOUT: TableLayout<KlineName> = {
  fields: [
    ['openTime', 'idx'],
    ['open', 'open'],
    ['high', 'high'],
    ['low', 'low'],
    ['close', 'close'],
    ['volume', 'vol'],
  ],
  keys: 1,
  filePer: 'month',
}

export const FUNDING_LAYOUT: TableLayout<FundingName> = {
  fields: [
    ['time', 'ts'],
    ['rate', 'rate'],
  ],
  keys: 1,
  filePer: 'month',
}

/** Trades: several may share a time; a month of a busy market would take gigabytes. */
export const TRADE_LAYOUT: TableLayout<TradeName> = {
  fields: [
    ['time', 'ts'],
    ['id', 'id'],
    ['price', 'price'],
    ['quantity', 'qty'],
    ['side', 'side'],
  ],
  keys: 2,
  filePer: 'day',
}

/** File layout of a series. */
export function layoutOf(series: SeriesKind): TableLayout {
  if (series === 'funding') return FUNDING_LAYOUT
  return series === 'trades' ? TRADE_LAYOUT : KLINE_LAYOUT
}

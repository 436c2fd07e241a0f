import type { KlineColumns } from '../kline-columns.ts'
import type { FilePeriod } from './file-period.ts'
import type { SeriesKind } from './series-name.ts'

/** Rows by column; all columns have the same length. */
export type Columns<Name extends string = string> = { readonly length: number } & Readonly<
  Record<Name, Float64Array>
>

/** How rows of one kind lie in files: names, order, what identifies a row, and how much one file holds. */
export interface TableLayout<Name extends string = string> {
  /** Column in memory and its name in the file, in the file's order; the first is a time in ms UTC. */
  readonly fields: readonly (readonly [name: Name, field: string])[]
  /** So many of the first columns identify a row, and rows ascend by them. */
  readonly keys: 1 | 2
  readonly filePer: FilePeriod
}

/** Funding rates of a futures contract. */
export interface FundingColumns {
  readonly length: number
  /** When the rate was settled, ms UTC. */
  readonly time: Float64Array
  /** A fraction of the position's value, paid by longs to shorts; negative the other way. */
  readonly rate: Float64Array
}

/** Public trades. */
export interface TradeColumns {
  readonly length: number
  /** ms UTC. */
  readonly time: Float64Array
  /** The exchange's id of the trade; whole numbers. */
  readonly id: Float64Array
  readonly price: Float64Array
  readonly quantity: Float64Array
  /** 1 where the buyer took, -1 where the seller did. */
  readonly side: Float64Array
}

/** The columns of klines. */
export type KlineName = Exclude<keyof KlineColumns, 'length'>
/** The columns of funding rates. */
export type FundingName = Exclude<keyof FundingColumns, 'length'>
/** The columns of trades. */
export type TradeName = Exclude<keyof TradeColumns, 'length'>

/** The columns of a table, in the file's order. */
export function columnsOf<Name extends string>(
  layout: TableLayout<Name>,
  table: Columns<Name>,
): Float64Array[] {
  return layout.fields.map(([name]) => table[name])
}

/** A table of columns that are in the file's order; without any, an empty one. */
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

/** Klines, under the column names of this project's CSV files. */
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

/** Funding rates. */
export const FUNDING_LAYOUT: TableLayout<FundingName> = {
  fields: [
    ['time', 'ts'],
    ['rate', 'rate'],
  ],
  keys: 1,
  filePer: 'month',
}

/** Trades: several may share a time; a month of a busy market would be gigabytes. */
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

/** How the rows of a series lie in files. */
export function layoutOf(series: SeriesKind): TableLayout {
  if (series === 'funding') return FUNDING_LAYOUT
  return series === 'trades' ? TRADE_LAYOUT : KLINE_LAYOUT
}

import type { KlineColumns } from '../../kline-columns.ts'
import type { RowField, RowLayout } from './row-layout.ts'

type KlineColumn = Exclude<keyof KlineColumns, 'length'>

const PRICE = 'a price above 0'
const TIME: RowField<KlineColumn> = {
  name: 'idx',
  column: 'openTime',
  kind: 'time',
  anyName: true,
  label: 'open time',
}
const PRICES: readonly RowField<KlineColumn>[] = [
  { name: 'open', column: 'open', kind: 'number', expected: PRICE },
  { name: 'high', column: 'high', kind: 'number', expected: PRICE },
  { name: 'low', column: 'low', kind: 'number', expected: PRICE },
  { name: 'close', column: 'close', kind: 'number', expected: PRICE },
]
const VOLUME: RowField<KlineColumn> = {
  name: 'vol',
  column: 'volume',
  kind: 'number',
  anyName: true,
  label: 'volume',
  expected: 'a number of at least 0',
}

/** Columns of klines, in memory order. */
export const KLINE_COLUMNS: readonly KlineColumn[] = ['openTime', 'open', 'high', 'low', 'close', 'volume']

/** This project's CSV; the lists of freqtrade's JSON have the same fields. */
export const KLINE_ROWS: RowLayout<KlineColumn> = {
  columns: KLINE_COLUMNS,
  fields: [TIME, ...PRICES, VOLUME],
}

/** The public dumps of Binance (data.binance.vision), spot and futures: times in ms, on spot in µs since 2025. */
export const BINANCE_KLINE_ROWS: RowLayout<KlineColumn> = {
  columns: KLINE_COLUMNS,
  fields: [
    { ...TIME, name: 'open_time' },
    ...PRICES,
    { ...VOLUME, name: 'volume' },
    { name: 'close_time', kind: 'time' },
    { name: 'quote_volume', kind: 'number', anyName: true },
    { name: 'count', kind: 'number', anyName: true },
    { name: 'taker_buy_volume', kind: 'number', anyName: true },
    { name: 'taker_buy_quote_volume', kind: 'number', anyName: true },
    { name: 'ignore', kind: 'number', anyName: true },
  ],
}

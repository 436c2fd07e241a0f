import type { TradeName } from '../../store/table-layout.ts'
import type { RowField, RowLayout } from './row-layout.ts'

/** Columns of trades, in memory order. */
const TRADE_COLUMNS: readonly TradeName[] = ['time', 'id', 'price', 'quantity', 'side']

const ID: RowField<TradeName> = { name: 'id', column: 'id', kind: 'number' }
const PRICE: RowField<TradeName> = { name: 'price', column: 'price', kind: 'number' }
const QUANTITY: RowField<TradeName> = { name: 'qty', column: 'quantity', kind: 'number' }
const TIME: RowField<TradeName> = { name: 'time', column: 'time', kind: 'time' }
const MAKER: RowField<TradeName> = { name: 'is_buyer_maker', column: 'side', kind: 'buyerIsMaker' }
const BEST: RowField<TradeName> = { name: 'is_best_match', kind: 'buyerIsMaker' }

/** Trades recorded by users of this project, with the exchange's times. */
const RECORDED: readonly RowField<TradeName>[] = [
  { name: 'local_ns', kind: 'number' },
  { ...TIME, name: 'exch_ms' },
  { ...ID, name: 'trade_id' },
  PRICE,
  QUANTITY,
  { ...MAKER, name: 'buyer_is_maker' },
]

/** `trades` of Binance's public dumps. */
const BINANCE_TRADES: readonly RowField<TradeName>[] = [
  ID,
  PRICE,
  QUANTITY,
  { name: 'quote_qty', kind: 'number' },
  TIME,
  MAKER,
]

/** `aggTrades` of Binance's public dumps. */
const BINANCE_AGGREGATES: readonly RowField<TradeName>[] = [
  { ...ID, name: 'agg_trade_id' },
  PRICE,
  { ...QUANTITY, name: 'quantity' },
  { name: 'first_trade_id', kind: 'number' },
  { name: 'last_trade_id', kind: 'number' },
  { ...TIME, name: 'transact_time' },
  MAKER,
]

/** Layouts of trades; Binance's spot dumps have one more column than its futures dumps. */
export const TRADE_ROWS: readonly RowLayout<TradeName>[] = [
  RECORDED,
  BINANCE_TRADES,
  [...BINANCE_TRADES, BEST],
  BINANCE_AGGREGATES,
  [...BINANCE_AGGREGATES, BEST],
].map(fields => ({ columns: TRADE_COLUMNS, fields }))

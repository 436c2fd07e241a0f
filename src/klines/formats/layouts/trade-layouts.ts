import type { TradeName } from '../../store/table-layout.ts'
import type { RowField, RowLayout } from './row-layout.ts'

/** A column of trades in a file. */
type TradeColumn = TradeName | 'arrivalMs' | 'arrivalNs'

/** Columns of trades, in memory order. */
const TRADE_COLUMNS: readonly TradeColumn[] = [
  ...(['time', 'id', 'price', 'quantity', 'side'] as const),
  ...(['arrivalMs', 'arrivalNs'] as const),
]

const ID: RowField<TradeColumn> = { name: 'id', column: 'id', kind: 'number' }
const PRICE: RowField<TradeColumn> = { name: 'price', column: 'price', kind: 'number' }
const QUANTITY: RowField<TradeColumn> = { name: 'qty', column: 'quantity', kind: 'number' }
const TIME: RowField<TradeColumn> = { name: 'time', column: 'time', kind: 'time' }
const MAKER: RowField<TradeColumn> = { name: 'is_buyer_maker', column: 'side', kind: 'buyerIsMaker' }
const BEST: RowField<TradeColumn> = { name: 'is_best_match', kind: 'buyerIsMaker' }

/** Trades recorded by users of this project, with the exchange's times. */
const RECORDED: readonly RowField<TradeColumn>[] = [
  { name: 'local_ns', kind: 'number', stamp: ['arrivalMs', 'arrivalNs'] },
  { ...TIME, name: 'exch_ms' },
  { ...ID, name: 'trade_id' },
  PRICE,
  QUANTITY,
  { ...MAKER, name: 'buyer_is_maker' },
]

/** `trades` of Binance's public dumps. */
const BINANCE_TRADES: readonly RowField<TradeColumn>[] = [
  ID,
  PRICE,
  QUANTITY,
  { name: 'quote_qty', kind: 'number' },
  TIME,
  MAKER,
]

/** `aggTrades` of Binance's public dumps. */
const BINANCE_AGGREGATES: readonly RowField<TradeColumn>[] = [
  { ...ID, name: 'agg_trade_id' },
  PRICE,
  { ...QUANTITY, name: 'quantity' },
  { name: 'first_trade_id', kind: 'number' },
  { name: 'last_trade_id', kind: 'number' },
  { ...TIME, name: 'transact_time' },
  MAKER,
]

/** Layouts of trades; Binance's spot dumps have one more column than its futures dumps. */
export const TRADE_ROWS: readonly RowLayout<TradeColumn>[] = [
  RECORDED,
  BINANCE_TRADES,
  [...BINANCE_TRADES, BEST],
  BINANCE_AGGREGATES,
  [...BINANCE_AGGREGATES, BEST],
].map(fields => ({ columns: TRADE_COLUMNS, fields }))

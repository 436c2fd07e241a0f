import { DEFAULT_FILL_SETTINGS, type FillSettings } from '../../../backtest/models/fill-settings.ts'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { klinesOfTrades } from '../../../backtest/ticks/klines-of-trades.ts'
import type { TickData } from '../../../backtest/ticks/tick-data.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { priceOf, quantityOf } from '../../../src/domain/numbers/grid.ts'
import { booksOfTops } from '../../../src/klines/formats/book-columns.ts'
import type { TradeColumns } from '../../../src/klines/store/table-layout.ts'
import { defineStrategy, type Signals, type Strategy } from '../../../src/strategy/index.ts'
import { MARGIN } from '../../engine/engine-session.ts'

/** Time (ms), price and, where it matters, quantity of a trade; a negative one sold. */
export type TradeRow = readonly [time: number, price: number, quantity?: number]
/** Time (ms), bid and ask; both offer 5. */
export type TopRow = readonly [time: number, bid: number, ask: number]

/** Trades by column. */
export function tradesOf(rows: readonly TradeRow[]): TradeColumns {
  const column = (of: (row: TradeRow, index: number) => number) => Float64Array.from(rows, of)
  return {
    length: rows.length,
    time: column(([time]) => time),
    id: column((_, index) => index),
    price: column(([, price]) => price),
    quantity: column(([, , quantity = 1]) => Math.abs(quantity)),
    side: column(([, , quantity = 1]) => Math.sign(quantity)),
  }
}

/** Trades and best prices by column. */
export function ticksOf(trades: readonly TradeRow[], tops?: readonly TopRow[]): TickData {
  if (tops === undefined) return { trades: tradesOf(trades) }
  const five = new Float64Array(tops.length).fill(5)
  const column = (place: 0 | 1 | 2) => Float64Array.from(tops, row => row[place])
  return {
    trades: tradesOf(trades),
    books: booksOfTops({
      length: tops.length,
      time: column(0),
      bid: column(1),
      bidQuantity: five,
      ask: column(2),
      askQuantity: five,
    }),
  }
}

/** Time (ms), and price and quantity of each level. */
export type BookRow = readonly [
  time: number,
  bids: readonly (readonly [price: number, quantity: number])[],
  asks: readonly (readonly [price: number, quantity: number])[],
]

/** Trades, and order books of which twenty levels a side were asked for. */
export function ticksWithBooks(trades: readonly TradeRow[], rows: readonly BookRow[]): TickData {
  const [bidsAt, asksAt]: [number[], number[]] = [[], []]
  const levels: (readonly [price: number, quantity: number])[] = []
  for (const [, bids, asks] of rows) {
    bidsAt.push(levels.length)
    asksAt.push(levels.length + bids.length)
    levels.push(...bids, ...asks)
  }
  return {
    trades: tradesOf(trades),
    books: {
      ...{ length: rows.length, levels: 20, inBase: true },
      time: Float64Array.from(rows, ([time]) => time),
      bidsAt: Float64Array.from([...bidsAt, levels.length]),
      asksAt: Float64Array.from(asksAt),
      price: Float64Array.from(levels, ([price]) => price),
      quantity: Float64Array.from(levels, ([, quantity]) => quantity),
    },
  }
}

/** Says on kline `n` (from 0) what `script` has at `n`. */
export function saying(...script: readonly Signals[]): Strategy {
  return defineStrategy({
    name: 'saying',
    state: () => ({ row: 0 }),
    onKline: (_kline, { state }) => script[state.row++],
  })
}

/** A backtest on ticks: minutes, a margin account without fees, nothing lost to the market. */
export function tickBacktest(
  strategy: Strategy,
  ticks: TickData,
  fills: Partial<FillSettings> = {},
): BacktestOptions {
  return {
    klines: klinesOfTrades(ticks.trades, '1m'),
    ticks,
    instrument: MARGIN,
    interval: '1m',
    strategy,
    parameters: {},
    balances: new Map([['USDT', amountOf('10000')]]),
    size: { base: 1 },
    fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0, ...fills },
    sizingReference: 'decision',
    closeAtEnd: 'no',
  }
}

/** Fills in words: `buy 1 at 101 taker, 60500`. */
export function fillsIn({ fills }: BacktestResult): readonly string[] {
  return fills.map(
    ({ side, quantity, price, liquidity, time }) =>
      `${side} ${quantityOf(MARGIN, quantity)} at ${priceOf(MARGIN, price)} ${liquidity}, ${time}`,
  )
}

/** Plays ticks, and tells the fills. */
export function playTicks(
  strategy: Strategy,
  ticks: TickData,
  fills?: Partial<FillSettings>,
): readonly string[] {
  return fillsIn(runBacktest(tickBacktest(strategy, ticks, fills)))
}

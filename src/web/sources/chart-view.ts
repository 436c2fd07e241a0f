import type { ComparisonUpdate } from '../../compare/comparison-messages.ts'
import type { DecidedKline } from '../history/trading-history.ts'
import type { ViewQuery } from '../window-source.ts'
import type { ViewState } from './view-state.ts'

/** Klines of a chart. */
const MOST_KLINES = 1000

/** Klines of a stream with indicators, decisions, fills, and the prices at which orders waited; times in ms UTC. */
export function chartView({ history, status, comparison, time }: ViewState, { stream }: ViewQuery): unknown {
  const { streams } = history
  const shown = stream ?? streams[0]
  if (shown === undefined)
    return { streams, klines: [], indicators: {}, decisions: [], fills: [], orders: [] }
  if (!streams.includes(shown)) return undefined
  const klines = history.klines(shown).slice(-MOST_KLINES)
  const symbol = shown.slice(0, shown.lastIndexOf(' '))
  const from = klines[0]?.openTime ?? time
  const isShown = (at: number) => at >= from
  return {
    ...{ streams, stream: shown, symbol },
    klines: klines.map(({ openTime, open, high, low, close }) => [openTime, open, high, low, close]),
    indicators: indicatorsOf(klines),
    decisions: history.decisions
      .filter(one => one.symbol === symbol && one.outcome !== 'nothing' && isShown(one.time))
      .map(({ id, time: at, outcome, signals, strategy }) => ({ id, time: at, outcome, signals, strategy })),
    fills: history.fills.filter(fill => fill.symbol === symbol && isShown(fill.time)),
    orders: history.orders.all
      .filter(order => order.symbol === symbol && order.prices.length > 0 && isShown(order.endedAt ?? time))
      .map(({ clientOrderId, purpose, prices, decidedAt, endedAt, status: state }) => ({
        ...{ clientOrderId, purpose, price: prices[0], status: state },
        from: Math.max(from, decidedAt),
        to: endedAt ?? time,
      })),
    backtestFills: backtestFills(comparison).filter(fill => fill.symbol === symbol && isShown(fill.time)),
    positions: status.held.filter(held => held.symbol === symbol),
  }
}

/** Values by indicator, one for each kline; `null` where there is none. */
function indicatorsOf(klines: readonly DecidedKline[]): Readonly<Record<string, readonly (number | null)[]>> {
  const names = new Set(klines.flatMap(({ values }) => Object.keys(values)))
  return Object.fromEntries([...names].map(name => [name, klines.map(({ values }) => values[name] ?? null)]))
}

/** Fills of the backtest of the same span: each order at its average price. */
function backtestFills(comparison: ComparisonUpdate | undefined) {
  if (comparison?.type !== 'compared') return []
  return comparison.comparison.orders.flatMap(({ symbol, side, backtest }) =>
    backtest?.price === undefined || backtest.time === undefined
      ? []
      : [
          {
            ...{ symbol, side, clientOrderId: backtest.clientOrderId },
            ...{ time: Date.parse(backtest.time), price: Number(backtest.price) },
          },
        ],
  )
}

import type {
  OrderLevel,
  RecordedChart,
  RecordedSeries,
} from '../../../backtest/report/chart/recorded-chart.ts'
import type { DrawnTrips, PageFills } from '../../../backtest/report/page-data.ts'
import type { ComparisonUpdate } from '../../compare/comparison-messages.ts'
import { wholeTicks } from '../../domain/numbers/grid.ts'
import { orderWord } from '../../domain/orders/order-words.ts'
import type { DecidedKline } from '../history/decided-klines.ts'
import type { OrderRecord } from '../history/order-record.ts'
import type { ShownTrip, TradingHistory } from '../history/trading-history.ts'
import type { TrailingLevel } from '../history/trailing-levels.ts'
import type { ViewState } from './view-state.ts'

/** The market and the span that marks are for; times in ms UTC. */
interface MarkedSpan {
  readonly symbol: string
  /** Decimals of a price. */
  readonly precision: number
  readonly from: number
  readonly time: number
}

/** A fill of either run. */
interface DrawnFill {
  readonly time: number
  readonly side: string
  readonly price: number
  readonly isBacktest: boolean
}

/** Indicators and own series, prices at which orders waited, and orders that came to nothing. */
export function chartRecord(
  history: TradingHistory,
  klines: readonly DecidedKline[],
  span: MarkedSpan,
): RecordedChart {
  const { symbol, precision, from } = span
  const orders = history.orders.all.filter(
    one => one.symbol === symbol && (one.endedAt ?? Number.POSITIVE_INFINITY) >= from,
  )
  const denied = history.decisions.flatMap(({ symbol: of, time, orders: assessed }) =>
    of !== symbol || time < from
      ? []
      : assessed.flatMap(({ denial }) =>
          denial === undefined
            ? []
            : [{ kind: 'denied' as const, time, text: `${orderWord(denial.rule)}: ${denial.message}` }],
        ),
  )
  return {
    series: seriesOf(klines),
    levels: orders.flatMap(order => levelsOf(order, history.orders.levelsOf(order.clientOrderId), span)),
    ends: [...orders.flatMap(order => endOf(order, precision)), ...denied],
  }
}

/** Values by name; the name of the strategy stands behind where several share the chart. */
function seriesOf(klines: readonly DecidedKline[]): ReadonlyMap<string, RecordedSeries> {
  const names = [...new Set(klines.flatMap(({ values }) => Object.keys(values)))]
  const isAlone = new Set(names.map(name => strategyIn(name))).size < 2
  return new Map(
    names.map(name => {
      const own = name.slice(strategyIn(name).length + 1)
      const known = klines.flatMap(({ closeTime, values }) => {
        const value = values[name]
        return value === undefined ? [] : [{ closeTime, value }]
      })
      return [
        isAlone ? own : `${own} (${strategyIn(name)})`,
        { time: known.map(({ closeTime }) => closeTime), value: known.map(({ value }) => value) },
      ]
    }),
  )
}

/** The name of a strategy has no space. */
function strategyIn(name: string): string {
  return name.slice(0, name.indexOf(' '))
}

/** Prices at which an order waited, each until it moved on or was over. */
function levelsOf(
  { purpose, prices, decidedAt, endedAt, protects }: OrderRecord,
  moves: readonly TrailingLevel[] | undefined,
  { from, precision }: MarkedSpan,
): readonly OrderLevel[] {
  if (protects === undefined && purpose !== 'entry') return []
  const kind = purpose === 'takeProfit' ? 'target' : purpose === 'entry' ? 'entry' : 'stop'
  const [price] = prices
  const stood = moves ?? (price === undefined ? [] : [{ time: decidedAt, price }])
  return stood.flatMap(({ time, price: at }, index) => {
    const to = stood[index + 1]?.time ?? endedAt
    if (to !== undefined && to < from) return []
    const level = { kind, price: ticksOf(at, precision), from: Math.max(from, time) } as const
    return [{ ...level, ...(to !== undefined && { to }) }]
  })
}

function endOf({ status, reason, prices, endedAt, protects }: OrderRecord, precision: number) {
  const isOver = status === 'canceled' || status === 'rejected' || status === 'expired'
  if (!isOver || endedAt === undefined || protects !== undefined) return []
  const price = prices[0] === undefined ? undefined : ticksOf(prices[0], precision)
  return [{ kind: 'canceled' as const, time: endedAt, price, text: reason ?? orderWord(status) }]
}

/** Round trips of a symbol that were open within the span. */
export function drawnTrips(trips: readonly ShownTrip[], { symbol, precision, from }: MarkedSpan): DrawnTrips {
  const shown = trips.filter(trip => trip.symbol === symbol && trip.exitTime >= from)
  return {
    entryTime: shown.map(({ entryTime }) => entryTime / 1000),
    exitTime: shown.map(({ exitTime }) => exitTime / 1000),
    direction: shown.map(({ direction }) => (direction === 'long' ? 1 : -1)),
    entryPrice: shown.map(({ entryPrice }) => ticksOf(Number(entryPrice), precision)),
    exitPrice: shown.map(({ exitPrice }) => ticksOf(Number(exitPrice), precision)),
    pnl: shown.map(({ pnl }) => Number(pnl)),
  }
}

/** Fills of the run that was chosen: of the bot those that belong to no round trip yet, of the backtest each order at its average price. */
export function drawnFills(
  { history, comparison }: Pick<ViewState, 'history' | 'comparison'>,
  run: string,
  { symbol, precision, from }: MarkedSpan,
): PageFills {
  const own = history.trips.filter(trip => trip.symbol === symbol)
  const closed = new Set(own.flatMap(({ entryTime, exitTime }) => [entryTime, exitTime]))
  const live = history.fills.filter(fill => fill.symbol === symbol && !closed.has(fill.time))
  const fills: readonly DrawnFill[] = [
    ...(run === 'backtest' ? [] : live.map(fill => ({ ...fill, isBacktest: false }))),
    ...(run === 'live' ? [] : backtestFills(comparison, symbol)),
  ]
  const shown = fills.filter(({ time }) => time >= from).sort((left, right) => left.time - right.time)
  return {
    time: shown.map(({ time }) => time / 1000),
    price: shown.map(({ price }) => ticksOf(price, precision)),
    isBuy: shown.map(({ side }) => (side === 'buy' ? 1 : 0)),
    isBacktest: shown.map(({ isBacktest }) => (isBacktest ? 1 : 0)),
  }
}

function backtestFills(comparison: ComparisonUpdate | undefined, symbol: string): readonly DrawnFill[] {
  if (comparison?.type !== 'compared') return []
  return comparison.comparison.orders.flatMap(({ symbol: of, side, backtest }) =>
    of !== symbol || backtest?.price === undefined || backtest.time === undefined
      ? []
      : [{ side, time: Date.parse(backtest.time), price: Number(backtest.price), isBacktest: true }],
  )
}

function ticksOf(price: number, precision: number) {
  return wholeTicks(price * 10 ** precision, 'nearest')
}

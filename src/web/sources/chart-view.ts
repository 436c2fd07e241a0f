import { equityDecimals, pageAccount } from '../../../backtest/report/html/page-account.ts'
import { pageKlines } from '../../../backtest/report/html/page-klines.ts'
import { pageRecord } from '../../../backtest/report/html/page-record.ts'
import { SPAN_LENGTHS } from '../../../backtest/report/html/span-length.ts'
import type { DrawnChart } from '../../../backtest/report/page-data.ts'
import { type Instrument, quantityUnit } from '../../domain/instrument.ts'
import type { Interval } from '../../domain/market-data/interval.ts'
import type { Grid } from '../../domain/numbers/grid.ts'
import { columnsFrom, type KlineColumns } from '../../klines/kline-columns.ts'
import type { TradingHistory } from '../history/trading-history.ts'
import type { ViewQuery } from '../window-source.ts'
import { chartRecord, drawnFills, drawnTrips } from './chart-marks.ts'
import type { ViewState } from './view-state.ts'

/** Klines of a chart; more of them are joined. */
const MOST_KLINES = 20_000
/** Decimals of a symbol that is followed and not traded. */
const ANY_GRID: Grid = { pricePrecision: 8, quantityPrecision: 8 }

/** The chart of a stream with everything that happened on it, as the chart of a report is drawn; `run` says of which run fills are. */
export function chartView(state: ViewState, { stream, run = 'live' }: ViewQuery): unknown {
  const { history, time } = state
  const { streams } = history
  const shown = stream ?? streams[0]
  if (shown === undefined) return { streams }
  if (!streams.includes(shown)) return undefined
  const space = shown.lastIndexOf(' ')
  const [symbol, interval] = [shown.slice(0, space), shown.slice(space + 1) as Interval] // as `DecidedKlines` names it
  const decided = history.klines(shown)
  const instrument = history.instrument(symbol)
  const { pricePrecision, quantityPrecision } = instrument ?? ANY_GRID
  const klines = columnsFrom(decided)
  const market = { interval, klines, instrument: instrument ?? ANY_GRID }
  const from = decided[0]?.openTime ?? time
  const marks = { symbol, precision: pricePrecision, from, time }
  const chart: DrawnChart = {
    market: {
      ...{ symbol, pricePrecision, quantityPrecision },
      base: instrument === undefined ? '' : quantityUnit(instrument),
    },
    klines: pageKlines(market, MOST_KLINES),
    trips: drawnTrips(run === 'backtest' ? [] : history.trips, marks),
    fills: drawnFills(state, run, marks),
    ...accountOf(history, instrument, klines),
    ...pageRecord(market, MOST_KLINES, chartRecord(history, decided, marks), time),
  }
  return {
    streams,
    stream: shown,
    chart: { ...chart, quote: instrument?.quote ?? '', spanLengths: SPAN_LENGTHS },
  }
}

/** Equity at the close of each kline and the drawdown until then, from the first equity that is known. */
function accountOf(
  history: TradingHistory,
  instrument: Instrument | undefined,
  { openTime }: KlineColumns,
): Pick<DrawnChart, 'worth' | 'drawdown'> {
  const quote = instrument?.quote ?? ''
  const points = history.equity.all.filter(({ equity }) => equity[quote] !== undefined)
  const [first] = points
  if (first === undefined) return {}
  const values = points.map(({ equity }) => Number(equity[quote]))
  const curve = {
    time: points.map(({ time }) => time),
    equity: values,
    moved: points.map(({ moved }) => Number(moved[quote] ?? 0)),
    peak: history.equity.highestBefore(quote),
  }
  return pageAccount(curve, openTime, equityDecimals(values[0] ?? 0))
}

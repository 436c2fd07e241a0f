import { orderWord } from '../../../src/domain/orders/order-words.ts'
import type { Drawdown } from '../../metrics/returns/drawdown.ts'
import type { RoundTripGroup } from '../../metrics/round-trips/round-trip-groups.ts'
import type { BacktestReport } from '../backtest-report.ts'
import type { TradingReport } from '../trading-report.ts'
import { boundsRows } from './bounds-rows.ts'
import {
  coarseDurationText,
  figureText,
  fixed,
  type MoneyFormat,
  minuteText,
  valueText,
} from './figure-text.ts'
import { METRIC_GROUPS } from './metric-group.ts'
import { profitTable } from './profit-table.ts'
import type { Breakdown, ReportPart } from './report-section.ts'

/** Tags and other groups beyond these are counted, not listed. */
const LISTED = 12

/** The non-empty tables of a backtest. */
export function breakdownsOf(report: BacktestReport, money: MoneyFormat): Breakdown[] {
  return [
    profitTable(report.profit, money),
    boundsTable(report, money),
    ...tradingBreakdowns(report, money),
  ].filter(({ rows }) => rows.length > 0)
}

/** The non-empty tables of markets, drawdowns and round trips. */
export function tradingBreakdowns(report: TradingReport, money: MoneyFormat): Breakdown[] {
  const { drawdowns, byExitReason, byTag, byDirection } = report.metrics
  const partsOf = (kind: ReportPart['kind']) => (report.parts ?? []).filter(part => part.kind === kind)
  const hasTags = byTag.some(({ name }) => name !== null)
  const tables = [
    partsTable('By market', 'Market', partsOf('market'), money),
    partsTable('By strategy', 'Strategy', partsOf('strategy'), money),
    drawdownTable(drawdowns),
    groupTable('Exit reason', byExitReason.map(inWords), money),
    groupTable('Direction', byDirection.length > 1 ? byDirection : [], money),
    groupTable('Tag', hasTags ? byTag : [], money),
  ]
  return tables.filter(({ rows }) => rows.length > 0)
}

function drawdownTable(drawdowns: readonly Drawdown[]): Breakdown {
  return {
    title: 'Deepest drawdowns',
    head: ['Peak', 'Depth', 'Bottom', 'Recovered', 'Below peak'],
    rows: drawdowns.map(({ fraction, peakTime, troughTime, recoveryTime }) => [
      minuteText(peakTime),
      `${fixed(fraction * 100, 2)}%`,
      minuteText(troughTime),
      recoveryTime === null ? 'not yet' : minuteText(recoveryTime),
      recoveryTime === null ? '-' : coarseDurationText(recoveryTime - peakTime),
    ]),
  }
}

/** A group of an exit reason, by its word. */
function inWords({ name, ...group }: RoundTripGroup): RoundTripGroup {
  return { ...group, name: name === null ? null : orderWord(name) }
}

function groupTable(name: string, groups: readonly RoundTripGroup[], money: MoneyFormat): Breakdown {
  const rows = groups
    .slice(0, LISTED)
    .map(({ name: common, roundTrips, winRate, netProfit, averageReturn, averageDurationMs }) => [
      common ?? '(none)',
      fixed(roundTrips, 0),
      valueText(winRate, 'percent', money),
      valueText(netProfit, 'money', money),
      valueText(averageReturn, 'rate', money),
      coarseDurationText(averageDurationMs),
    ])
  const others = groups.slice(LISTED)
  const count = others.reduce((sum, { roundTrips }) => sum + roundTrips, 0)
  const profit = others.reduce((sum, { netProfit }) => sum + netProfit, 0)
  const rest = [`and ${others.length} more`, fixed(count, 0), '', valueText(profit, 'money', money), '', '']
  return {
    title: `By ${name.toLowerCase()}`,
    head: [name, 'Round trips', 'Win rate', 'Net profit', 'Average return', 'Average duration'],
    rows: others.length === 0 ? rows : [...rows, rest],
  }
}

function boundsTable({ metrics, bounds }: BacktestReport, money: MoneyFormat): Breakdown {
  const described = METRIC_GROUPS.flatMap(({ metrics: ofGroup }) => ofGroup)
  const rows = (bounds === undefined ? [] : boundsRows(bounds)).map(({ key, low, high }) => {
    const { label, unit } = described.find(metric => metric.key === key) ?? { label: key, unit: 'ratio' }
    const text = (value: number | null) => (value === null ? 'n/a' : valueText(value, unit, money))
    return [label, text(low), text(high), figureText(metrics.figures[key], unit, money)]
  })
  return {
    title: 'With the worst and with the best path inside each kline',
    head: ['Figure', 'From', 'To', 'This run'],
    rows,
  }
}

function partsTable(
  title: string,
  first: string,
  parts: readonly ReportPart[],
  money: MoneyFormat,
): Breakdown {
  return {
    title,
    head: [first, 'Round trips', 'Net profit', 'Fees', 'In the market'],
    rows: parts.map(({ name, roundTrips, netProfit, fees, exposure }) => [
      name,
      fixed(roundTrips, 0),
      valueText(netProfit, 'money', money),
      valueText(fees, 'money', money),
      valueText(exposure, 'percent', money),
    ]),
  }
}

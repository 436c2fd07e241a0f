import { utcText } from '../../../src/domain/market-data/civil-date.ts'
import { amountToText } from '../../../src/domain/numbers/amount.ts'
import { baseText, priceText } from '../../../src/domain/numbers/grid.ts'
import type { ReplayedMarket } from '../../metrics/market.ts'
import type { Resumable } from '../../run/resumable.ts'
import type { BacktestReport } from '../backtest-report.ts'
import { gridsOf } from '../grids-of.ts'
import { type BookLabel, bookLabels } from '../text/book-labels.ts'
import { shortFraction } from '../text/short-fraction.ts'
import { csvField } from './csv-field.ts'

/** A CSV file: RFC 4180 with line feeds, UTF-8, a header in the first line. */
export interface CsvFile {
  readonly name: 'round-trips.csv' | 'fills.csv' | 'equity.csv' | 'ambiguity.csv'
  readonly text: string
}

/** Rows of equity between two pauses, some milliseconds of work. */
const PAUSE_EVERY = 8192

/** The lists of a result as CSV: times as ISO 8601 in UTC, prices, quantities and money with their exact decimals. */
export function* resultCsv(report: BacktestReport): Resumable<CsvFile[]> {
  return [
    { name: 'round-trips.csv', text: roundTripsCsv(report) },
    { name: 'fills.csv', text: fillsCsv(report) },
    { name: 'equity.csv', text: yield* equityCsv(report) },
    { name: 'ambiguity.csv', text: ambiguityCsv(report) },
  ]
}

function roundTripsCsv(report: BacktestReport): string {
  const { roundTrips, markets, ambiguity } = report
  const { columns } = report.metrics
  const gridOf = gridsOf(markets)
  const ambiguous = new Set(ambiguity.roundTrips)
  const labelOf = bookLabels(markets)
  const head = `symbol,direction,quantity,entryTime,entryPrice,exitTime,exitPrice,pnl,fees,entryReason,exitReason,tag,mae,mfe,ambiguous${labelHead(markets)}`
  const rows = roundTrips.map((roundTrip, row) => {
    const grid = gridOf(roundTrip.symbol)
    return [
      csvField(roundTrip.symbol),
      roundTrip.direction,
      baseText(grid, roundTrip.quantity),
      utcText(roundTrip.entryTime),
      priceText(grid, roundTrip.entryPrice),
      utcText(roundTrip.exitTime),
      priceText(grid, roundTrip.exitPrice),
      amountToText(roundTrip.pnl),
      amountToText(roundTrip.fees),
      roundTrip.entryReason,
      roundTrip.exitReason,
      csvField(roundTrip.tag ?? ''),
      String(shortFraction(columns.adverse[row]) ?? ''),
      String(shortFraction(columns.favorable[row]) ?? ''),
      String(ambiguous.has(row)),
      ...labelFields(labelOf(roundTrip.book)),
    ].join(',')
  })
  return linesOf(head, rows)
}

function fillsCsv({ fills, markets }: BacktestReport): string {
  const gridOf = gridsOf(markets)
  const labelOf = bookLabels(markets)
  const head = `id,clientOrderId,symbol,side,price,quantity,fee,feeAsset,liquidity,slippage,time,rule,klineOpenTime,priceBeforeSlippage,tag${labelHead(markets)}`
  const rows = fills.map(fill => {
    const grid = gridOf(fill.symbol)
    return [
      csvField(fill.id),
      csvField(fill.clientOrderId),
      csvField(fill.symbol),
      fill.side,
      priceText(grid, fill.price),
      baseText(grid, fill.quantity),
      amountToText(fill.fee),
      csvField(fill.feeAsset),
      fill.liquidity,
      amountToText(fill.slippage),
      utcText(fill.time),
      fill.rule,
      utcText(fill.klineOpenTime),
      priceText(grid, fill.priceBeforeSlippage),
      csvField(fill.tag ?? ''),
      ...labelFields(labelOf(fill.book ?? fill.symbol)),
    ].join(',')
  })
  return linesOf(head, rows)
}

/** The assumed path inside klines, and the number of round trips and open positions that depend on it. */
function ambiguityCsv({ ambiguity, roundTrips }: BacktestReport): string {
  const row = [
    ...[ambiguity.policy, ambiguity.roundTrips.length, roundTrips.length],
    ambiguity.openPositions.length,
  ].join(',')
  return linesOf('path,ambiguousRoundTrips,roundTrips,ambiguousOpenPositions', [row])
}

/** Equity at each close, the value of buy and hold of the start equity, and the drawdown. */
function* equityCsv({ equity: { startEquity, time, equity }, benchmark }: BacktestReport): Resumable<string> {
  const parts = ['time,equity,buyAndHold,drawdown\n']
  const perPrice = benchmark === undefined ? Number.NaN : startEquity / benchmark.startEquity
  let peak = startEquity
  let part = ''
  for (let row = 0; row < time.length; row++) {
    const worth = equity[row] as number // inside the bounds
    const held = (benchmark?.equity[row] ?? Number.NaN) * perPrice
    peak = Math.max(peak, worth)
    part += `${utcText(time[row] as number)},${worth},${Number.isNaN(held) ? '' : held},${1 - worth / peak}\n` // inside the bounds
    if (row % PAUSE_EVERY === PAUSE_EVERY - 1) {
      parts.push(part)
      part = ''
      yield PAUSE_EVERY
    }
  }
  return [...parts, part].join('')
}

/** Further columns, where a run has several markets. */
function labelHead(markets: readonly ReplayedMarket[]): string {
  return markets.length < 2 ? '' : ',interval,strategy,book'
}

function labelFields(label: BookLabel | undefined): string[] {
  return label === undefined ? [] : [label.interval, csvField(label.strategy), csvField(label.book)]
}

function linesOf(head: string, rows: readonly string[]): string {
  return rows.length === 0 ? `${head}\n` : `${head}\n${rows.join('\n')}\n`
}

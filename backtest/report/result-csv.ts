import { amountToText } from '../../src/domain/amount.ts'
import { utcText } from '../../src/domain/civil-date.ts'
import { priceText, quantityText } from '../../src/domain/grid.ts'
import type { BacktestReport } from './backtest-report.ts'
import { gridsOf } from './grids-of.ts'
import { shortFraction } from './short-fraction.ts'

/** A CSV file: RFC 4180 with line feeds, UTF-8, a header in the first line. */
export interface CsvFile {
  readonly name: 'round-trips.csv' | 'fills.csv' | 'equity.csv'
  readonly text: string
}

/** The lists of a result as CSV: times as ISO 8601 in UTC, prices, quantities and money with their exact decimals. */
export function resultCsv(report: BacktestReport): CsvFile[] {
  return [
    { name: 'round-trips.csv', text: roundTripsCsv(report) },
    { name: 'fills.csv', text: fillsCsv(report) },
    { name: 'equity.csv', text: equityCsv(report) },
  ]
}

function roundTripsCsv({ roundTrips, markets, metrics: { columns } }: BacktestReport): string {
  const gridOf = gridsOf(markets)
  const head =
    'symbol,direction,quantity,entryTime,entryPrice,exitTime,exitPrice,pnl,fees,entryReason,exitReason,tag,mae,mfe'
  const rows = roundTrips.map((roundTrip, row) => {
    const grid = gridOf(roundTrip.symbol)
    return [
      field(roundTrip.symbol),
      roundTrip.direction,
      quantityText(grid, roundTrip.quantity),
      utcText(roundTrip.entryTime),
      priceText(grid, roundTrip.entryPrice),
      utcText(roundTrip.exitTime),
      priceText(grid, roundTrip.exitPrice),
      amountToText(roundTrip.pnl),
      amountToText(roundTrip.fees),
      roundTrip.entryReason,
      roundTrip.exitReason,
      field(roundTrip.tag ?? ''),
      String(shortFraction(columns.adverse[row]) ?? ''),
      String(shortFraction(columns.favorable[row]) ?? ''),
    ].join(',')
  })
  return linesOf(head, rows)
}

function fillsCsv({ fills, markets }: BacktestReport): string {
  const gridOf = gridsOf(markets)
  const head = 'id,clientOrderId,symbol,side,price,quantity,fee,feeAsset,liquidity,slippage,time'
  const rows = fills.map(fill => {
    const grid = gridOf(fill.symbol)
    return [
      field(fill.id),
      field(fill.clientOrderId),
      field(fill.symbol),
      fill.side,
      priceText(grid, fill.price),
      quantityText(grid, fill.quantity),
      amountToText(fill.fee),
      field(fill.feeAsset),
      fill.liquidity,
      fill.slippage === undefined ? '' : amountToText(fill.slippage),
      utcText(fill.time),
    ].join(',')
  })
  return linesOf(head, rows)
}

/** Worth at each close, what buy and hold of the start equity would be worth, and the drawdown. */
function equityCsv({ equity: { startEquity, time, equity }, benchmark }: BacktestReport): string {
  const rows = new Array<string>(time.length)
  const perPrice = benchmark === undefined ? Number.NaN : startEquity / benchmark.startEquity
  let peak = startEquity
  for (let row = 0; row < time.length; row++) {
    const worth = equity[row] as number // inside the bounds
    const held = (benchmark?.equity[row] ?? Number.NaN) * perPrice
    peak = Math.max(peak, worth)
    rows[row] =
      `${utcText(time[row] as number)},${worth},${Number.isNaN(held) ? '' : held},${1 - worth / peak}` // inside the bounds
  }
  return linesOf('time,equity,buyAndHold,drawdown', rows)
}

function linesOf(head: string, rows: readonly string[]): string {
  return rows.length === 0 ? `${head}\n` : `${head}\n${rows.join('\n')}\n`
}

/** A text with a comma, a quote or a line break stands in quotes, its own quotes doubled. */
function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

import Table from 'cli-table3'
import { quantityText } from '../src/domain/grid.ts'
import type { Instrument } from '../src/domain/instrument.ts'
import type { Position } from '../src/domain/position.ts'
import { denialCounts } from './denial-counts.ts'
import type { BacktestReport } from './report.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** What a trader looks at first: a text table without colours, and below it what was denied and whether the account was ruined. */
export function resultTable(report: BacktestReport): string {
  const table = new Table({ colAligns: ['left', 'right'], style: { head: [], border: [], compact: true } })
  table.push(...runRows(report), ...equityRows(report), ...roundTripRows(report), ...tradingRows(report))
  return [table.toString(), ...notes(report)].join('\n')
}

type Row = [label: string, value: string]

function runRows({ manifest }: BacktestReport): Row[] {
  const parameters = Object.entries(manifest.parameters).map(([name, value]) => `${name} ${value}`)
  return [
    ['Market', `${manifest.symbol} ${manifest.interval}`],
    ['From', timeText(manifest.from)],
    ['To', timeText(manifest.to)],
    ['Klines', String(manifest.klines)],
    ['Parameters', parameters.join(', ') || '-'],
  ]
}

function equityRows({ metrics, instrument }: BacktestReport): Row[] {
  return [
    ['Start equity', money(metrics.startEquity, instrument.quote)],
    ['End equity', money(metrics.endEquity, instrument.quote)],
    ['Total return', percent(metrics.totalReturn)],
    ['Annual return (CAGR)', percent(metrics.cagr)],
    ['Max drawdown', percent(-metrics.maxDrawdown)],
    ['Longest drawdown', duration(metrics.longestDrawdownMs)],
    ['Sharpe ratio', plain(metrics.sharpe)],
    ['Exposure', percent(metrics.exposure)],
  ]
}

function roundTripRows({ metrics, instrument }: BacktestReport): Row[] {
  return [
    ['Round trips', String(metrics.roundTrips)],
    ['Win rate', percent(metrics.winRate)],
    ['Profit factor', plain(metrics.profitFactor)],
    ['Expectancy', money(metrics.expectancy, instrument.quote)],
    ['Best', money(metrics.bestPnl, instrument.quote)],
    ['Worst', money(metrics.worstPnl, instrument.quote)],
    ['Average duration', duration(metrics.averageDurationMs)],
    ['Fees', money(metrics.fees, instrument.quote)],
  ]
}

function tradingRows({ signals, denials, fills, openPosition, instrument }: BacktestReport): Row[] {
  return [
    ['Signals', String(signals)],
    ['Fills', String(fills.length)],
    ['Denied orders', String(denials.length)],
    ['Open at the end', openPosition === undefined ? '-' : positionText(openPosition, instrument)],
  ]
}

function positionText({ direction, quantity }: Position, instrument: Instrument): string {
  return `${direction} ${quantityText(instrument, quantity)} ${instrument.base}`
}

function notes({ denials, ruined }: BacktestReport): string[] {
  const lines = [...denialCounts(denials)].map(
    ([rule, { count, first }]) => `Denied ${count} × by ${rule}; the first: ${first}`,
  )
  return ruined
    ? [...lines, 'Ruined: equity fell to zero, so everything was closed and trading stopped.']
    : lines
}

function timeText(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ')
}

function plain(value: number | null): string {
  // Without the sign of a rounded -0.
  return value === null ? '-' : value.toFixed(2).replace(/^-(?=0\.00$)/, '')
}

function percent(fraction: number | null): string {
  return fraction === null ? '-' : `${plain(fraction * 100)} %`
}

function money(value: number | null, asset: string): string {
  return value === null ? '-' : `${plain(value)} ${asset}`
}

/** `2d 3h`, `3h 4m` or `5m`. */
function duration(ms: number | null): string {
  if (ms === null) return '-'
  const [days, hours, minutes] = [ms / DAY_MS, (ms % DAY_MS) / HOUR_MS, (ms % HOUR_MS) / MINUTE_MS].map(
    Math.floor,
  )
  if (ms >= DAY_MS) return `${days}d ${hours}h`
  return ms >= HOUR_MS ? `${hours}h ${minutes}m` : `${minutes}m`
}

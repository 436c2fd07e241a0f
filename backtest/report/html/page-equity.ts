import { intervalMs } from '../../../src/domain/market-data/interval.ts'
import type { Direction } from '../../../src/domain/orders/side.ts'
import { type EquityCurve, endOf } from '../../metrics/returns/equity-curve.ts'
import type { PageEquity } from '../page-data.ts'
import type { TradingReport } from '../trading-report.ts'
import { heldFractions } from './held-fractions.ts'
import { spanLength } from './span-length.ts'

/** About as many as a chart has pixels. */
const MOST_POINTS = 1200

/** The equity of a run for a page, at most `most` points; a drawdown is the deepest of its span, so that none gets lost. */
export function pageEquity(report: TradingReport, most: number = MOST_POINTS): PageEquity {
  const { equity, benchmark, markets } = report
  const end = endOf(equity).time
  const shortest = Math.min(...markets.map(({ interval }) => intervalMs(interval))) / 1000
  const seconds = spanLength(shortest, (end - equity.startTime) / 1000, most - 1)
  const start = Math.floor(equity.startTime / 1000 / seconds) * seconds
  const own = sampled(equity, start, seconds, 1)
  const held = benchmark && sampled(benchmark, start, seconds, equity.startEquity / benchmark.startEquity)
  const last = own.spans.at(-1) ?? -1
  const fractionsOf = (direction: Direction) => {
    const fractions = heldFractions(holdingsOf(report, direction, end), {
      start: start * 1000,
      lengthMs: seconds * 1000,
      count: last + 1,
      runStart: equity.startTime,
      runEnd: end,
    })
    return own.spans.map(span => rounded(fractions[span] ?? 0, 4))
  }
  return {
    seconds,
    time: own.time,
    worth: own.worth,
    drawdown: own.drawdown,
    ...(held !== undefined && { held: held.worth, heldDrawdown: held.drawdown }),
    long: fractionsOf('long'),
    short: fractionsOf('short'),
  }
}

interface Sampled {
  /** Places of the spans that have closes. */
  readonly spans: number[]
  readonly time: number[]
  readonly worth: number[]
  readonly drawdown: number[]
}

function sampled(curve: EquityCurve, start: number, seconds: number, factor: number): Sampled {
  const { time, equity, startEquity } = curve
  const result: Sampled = { spans: [], time: [], worth: [], drawdown: [] }
  let [peak, deepest] = [startEquity, 0]
  for (let row = 0; row < time.length; row++) {
    const worth = equity[row] as number // inside the bounds
    peak = Math.max(peak, worth)
    deepest = Math.min(deepest, worth / peak - 1)
    const span = spanOf(time[row] as number, start, seconds) // inside the bounds
    const next = time[row + 1]
    if (next !== undefined && spanOf(next, start, seconds) === span) continue
    result.spans.push(span)
    result.time.push((time[row] as number) / 1000) // inside the bounds
    result.worth.push(Number((worth * factor).toPrecision(9)))
    result.drawdown.push(rounded(deepest, 6))
    deepest = 0
  }
  return result
}

/** The span that a close (ms UTC) belongs to; one at the end of a span still does. */
function spanOf(time: number, start: number, seconds: number): number {
  return Math.ceil((time / 1000 - start) / seconds) - 1
}

function holdingsOf({ roundTrips, openPositions }: TradingReport, wanted: Direction, end: number) {
  const closed = roundTrips.filter(({ direction }) => direction === wanted)
  const open = openPositions
    .filter(({ direction }) => direction === wanted)
    .flatMap(({ lots }) => lots.map(({ time }) => ({ entryTime: time, exitTime: end })))
  return [...closed, ...open]
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}

import { DAYS_PER_YEAR } from '../../../backtest/metrics/convention.ts'
import { fixed } from '../../../backtest/report/text/figure-text.ts'
import { type PlayedWindow, windowReturnsOf } from '../../../backtest/walk-forward/walk-forward.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { meanOf } from '../../research/statistics/sample/moments.ts'
import { meanT } from '../../research/statistics/sample/newey-west.ts'
import { sharpeEstimate } from '../../research/statistics/sharpe/sharpe-estimate.ts'
import { defined, derived, type Statistic } from '../../research/statistics/statistic.ts'
import { type DailyRecord, totalReturn } from '../../research/walk-forward/daily-record.ts'
import { newerHalf, walkForwardEfficiency } from '../../research/walk-forward/efficiency.ts'
import { type ParameterDrift, parameterDrift } from '../../research/walk-forward/parameter-drift.ts'
import type { CommandOutput } from '../streams.ts'
import { writeAtomically } from '../write-atomically.ts'
import { figureOrReason, oneDecimalPercent, plainTable } from './report-parts.ts'
import type { ResearchInput } from './research-input.ts'
import type { WalkForwardDone } from './walk-forward-run.ts'

/** A report as text and as plain data. */
export interface ResearchReport {
  readonly text: string
  readonly json: unknown
}

/** Writes a report as text, or as JSON to a file or to the output for `-`; throws `UsageError` for a file that cannot be written. */
export function writeReport(
  { text, json }: ResearchReport,
  file: string | undefined,
  out: CommandOutput,
): void {
  if (file === undefined) out.write(`${text}\n`)
  else if (file === '-') out.write(`${JSON.stringify(json, null, 2)}\n`)
  else writeAtomically(file, `${JSON.stringify(json, null, 2)}\n`)
}

/** Figures of the stitched tests. Returns are fractions, the Sharpe ratio is annual. */
export interface OutOfSample {
  readonly days: number
  readonly totalReturn: number
  readonly sharpe: Statistic
  readonly t: Statistic
  readonly efficiency: Statistic
  readonly newerEfficiency: Statistic
  readonly drift: readonly ParameterDrift[]
}

/** Figures of all tests of a walk-forward. */
export function outOfSampleOf({ windows, stitched }: WalkForwardDone): OutOfSample {
  const { returns } = stitched
  const pairs = windowReturnsOf(windows)
  return {
    days: returns.length,
    totalReturn: totalReturn(returns),
    sharpe: annualSharpe(returns),
    t: meanT(returns),
    efficiency: walkForwardEfficiency(pairs),
    newerEfficiency: walkForwardEfficiency(newerHalf(pairs)),
    drift: parameterDrift(windows.map(({ chosen }) => chosen).filter(chosen => chosen !== undefined)),
  }
}

/** Annual Sharpe ratio of daily returns. */
export function annualSharpe(returns: Float64Array): Statistic {
  return derived(sharpeEstimate(returns), ({ sharpe }) => defined(sharpe * Math.sqrt(DAYS_PER_YEAR)))
}

/** The report of a walk-forward. */
export function walkForwardReport(research: ResearchInput, done: WalkForwardDone): ResearchReport {
  const figures = outOfSampleOf(done)
  return {
    text: [headingOf(research), ...walkForwardLines(research, done, figures)].join('\n'),
    json: { ...namesOf(research), ...walkForwardJson(done, figures) },
  }
}

/** Strategy and data that were tested. */
export function headingOf({ input, identity }: ResearchInput): string {
  const { symbol, interval, from, to } = identity
  return `${input.strategy.name} on ${symbol} ${interval}, ${utcText(from)} to ${utcText(to)}`
}

/** The same as plain data. */
export function namesOf({ identity: { strategy, symbol, interval, from, to } }: ResearchInput) {
  return { strategy, symbol, interval, from, to }
}

/** The windows of a walk-forward, and its figures, as lines. */
export function walkForwardLines(
  { search, definition }: Pick<ResearchInput, 'search' | 'definition'>,
  done: WalkForwardDone,
  figures: OutOfSample,
): string[] {
  const [planned = '', ...sentences] = walkForwardSentences({ search, definition }, done, figures)
  const { head, rows } = windowTable({ search }, done)
  return [planned, '', plainTable(head, rows), '', ...sentences]
}

/** The plan of a walk-forward and its figures, each a sentence. */
export function walkForwardSentences(
  { search, definition }: Pick<ResearchInput, 'search' | 'definition'>,
  done: WalkForwardDone,
  figures: OutOfSample,
): string[] {
  const { windows, plan } = done
  const names = search.parameters.space.map(({ name }) => name)
  const kind = plan.isAnchored ? 'anchored' : 'rolling'
  const { days, sharpe, t, efficiency, newerEfficiency, drift } = figures
  return [
    `${windows.length} ${kind} windows; ${plan.purge + plan.embargo} klines left out between training and test.`,
    ...untestedLines(done),
    ...unchosenLines(done, definition),
    `Out of sample, ${days} ${days === 1 ? 'day' : 'days'}: return ${oneDecimalPercent(figures.totalReturn)}, annual Sharpe ratio ${figureOrReason(sharpe)}, t ${figureOrReason(t)}.`,
    `Mean daily return of the tests as a part of that of their trainings: ${efficiencyText(efficiency)}; in the newer half of the tests: ${efficiencyText(newerEfficiency)}.`,
    ...drift.filter(({ name }) => names.includes(name)).map(driftText),
    'Each test starts flat with the opening balances. A position at the end of a window is sold at its last close, with fees and slippage.',
  ]
}

/** A walk-forward efficiency, and what it means where it is negative. */
function efficiencyText(efficiency: Statistic): string {
  const text = figureOrReason(efficiency, oneDecimalPercent)
  return (efficiency.value ?? 0) < 0 ? `${text} (the trainings earned, and the tests lost)` : text
}

/** A sentence on newest klines that are in no test, where they are a tenth of one or more. */
function untestedLines({ plan: { test = 0 }, untested: { klines, from } }: WalkForwardDone): string[] {
  if (from === undefined || klines * 10 < test) return []
  return [
    `The newest ${klines} klines, from ${utcText(from)}, are in no test, because a test has ${test}: nothing here says how they went. Give other lengths, or --windows without them.`,
  ]
}

/** A warning of windows that chose no parameters, and why they did not. */
function unchosenLines({ windows }: WalkForwardDone, definition: ResearchInput['definition']): string[] {
  const unchosen = windows.filter(({ chosen }) => chosen === undefined)
  if (unchosen.length === 0) return []
  const { objective, leastTrades } = definition
  const least =
    objective === 'profit-factor' ? ` (which needs ${leastTrades} round trips, see --min-trades)` : ''
  const because = unchosen.every(({ traded }) => traded === 0)
    ? 'no trial of their trainings bought or sold anything'
    : `no trial of their trainings has a value of the objective ${objective}${least}`
  const what =
    unchosen.length === windows.length
      ? 'so that nothing was tested'
      : 'and their tests stay in cash, with 0.0%'
  return [
    `Warning: ${unchosen.length} of ${windows.length} windows chose no parameters (-), because ${because}, ${what}.`,
  ]
}

/** The windows as a table of texts. */
export function windowTable({ search }: Pick<ResearchInput, 'search'>, { windows }: WalkForwardDone) {
  const names = search.parameters.space.map(({ name }) => name)
  return {
    head: [
      'training from',
      'test from',
      'to',
      ...names,
      'in sample a day',
      'out of sample a day',
      'return of the test',
      'round trips',
    ],
    rows: windows.map(window => windowRow(window, names)),
  }
}

function windowRow(
  { train, test, chosen, inSample, outOfSample, roundTrips }: PlayedWindow,
  names: readonly string[],
) {
  return [
    utcText(train.from).slice(0, 16),
    utcText(test.from).slice(0, 16),
    utcText(test.to).slice(0, 16),
    ...names.map(name => (chosen === undefined ? '-' : String(chosen[name]))),
    chosen === undefined ? '-' : meanPercent(inSample.returns),
    meanPercent(outOfSample.returns),
    oneDecimalPercent(totalReturn(outOfSample.returns)),
    fixed(roundTrips, 0),
  ]
}

/** Mean daily return, which spans of different length share. */
function meanPercent(returns: Float64Array): string {
  return returns.length === 0 ? 'n/a' : `${fixed(100 * meanOf(returns), 3)}%`
}

function driftText({ name, values, changes, meanStep }: ParameterDrift): string {
  const step = meanStep === undefined ? '' : `, by ${stepText(meanStep)} on average from window to window`
  return `Drift of ${name}: changed ${changes} of ${Math.max(0, values.length - 1)} times${step}.`
}

/** A step of a parameter, with three significant digits, because steps may be thousandths. */
function stepText(step: number): string {
  return step >= 100 ? fixed(step, 0) : `${Number(step.toPrecision(3))}`
}

/** A walk-forward as plain data; what is undefined is null, with its reason beside it. */
export function walkForwardJson(
  { windows, stitched, plan, untested }: WalkForwardDone,
  figures: OutOfSample,
) {
  const { drift, days, totalReturn: total, ...statistics } = figures
  return {
    ...{ plan, untested },
    windows: windows.map(({ inSample, outOfSample, ...window }) => ({
      ...window,
      chosen: window.chosen ?? null,
      inSample: totalReturn(inSample.returns),
      outOfSample: totalReturn(outOfSample.returns),
    })),
    outOfSample: { days, totalReturn: total, ...statisticsJson(statistics) },
    drift,
    ...recordJson(stitched),
  }
}

/** Statistics as plain data: `{ value }`, or `{ value: null, reason }`. */
export function statisticsJson(statistics: Readonly<Record<string, Statistic>>) {
  return Object.fromEntries(
    Object.entries(statistics).map(([name, { value, reason }]) => [
      name,
      reason === undefined ? { value } : { value: null, reason },
    ]),
  )
}

/** A record as plain data, with the equity of 1 at its start. */
export function recordJson({ firstDay, returns }: DailyRecord) {
  let worth = 1
  const equity = Array.from(returns, value => {
    worth *= 1 + value
    return worth
  })
  return { firstDay, dailyReturns: [...returns], equity }
}

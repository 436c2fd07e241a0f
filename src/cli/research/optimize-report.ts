import { fixed, moneyFigure } from '../../../backtest/report/text/figure-text.ts'
import type { LeastDays } from '../../../backtest/search/objective.ts'
import { differentTrials, type Plateau } from '../../../backtest/search/ranking.ts'
import type { SearchedTrial } from '../../../backtest/search/search.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import type { SearchSpace } from '../../research/sampling/search-space.ts'
import type { BacktestCommandOptions } from '../backtest/backtest-command-options.ts'
import type { CommandOutput } from '../streams.ts'
import { writeAtomically } from '../write-atomically.ts'
import { backtestLine } from './backtest-line.ts'
import { daysCounted } from './least-days.ts'
import { type CountedTrials, luckText } from './luck-text.ts'
import type { SearchDefinition } from './optimize-options.ts'
import { listText, plainTable } from './report-parts.ts'

/** Rows of the table of the best. */
const SHOWN = 10

/** A ranked trial with its surroundings. */
export interface ReportedTrial extends SearchedTrial {
  readonly plateau: Plateau
  /** By each objective. */
  readonly scores: readonly (number | undefined)[]
}

/** Result of a search. */
export interface OptimizeReport {
  readonly strategy: string
  readonly quote: string
  readonly symbol: string
  readonly interval: string
  readonly from: number
  readonly to: number
  readonly definition: SearchDefinition
  readonly space: SearchSpace
  readonly objectives: readonly string[]
  /** Days below which no trial has a score by the first objective. */
  readonly leastDays: LeastDays
  /** In order of number. */
  readonly trials: readonly SearchedTrial[]
  /** The best by the first objective first. */
  readonly ranked: readonly ReportedTrial[]
  /** Trials that no other beats, where there are several objectives. */
  readonly front: readonly ReportedTrial[] | undefined
  /** Trials of the strategy on klines of these days, and what they leave of the best's Sharpe ratio. */
  readonly counted: CountedTrials | undefined
  /** Path of the study file; `undefined` where nothing is kept. */
  readonly study: string | undefined
  readonly options: BacktestCommandOptions
}

/** Writes what a search found as text or JSON; throws `UsageError` for a file that cannot be written. */
export function writeOptimizeReport(
  report: OptimizeReport,
  { json }: { readonly json?: string | undefined },
  out: CommandOutput,
): void {
  if (json === undefined) out.write(`${optimizeText(report)}\n`)
  else if (json === '-') out.write(`${optimizeJson(report)}\n`)
  else writeAtomically(json, `${optimizeJson(report)}\n`)
}

/** The search as text. */
function optimizeText(report: OptimizeReport): string {
  const { strategy, symbol, interval, from, to, trials, front, ranked, objectives, options } = report
  const shown = (front ?? ranked).slice(0, front === undefined ? SHOWN : undefined)
  const [best] = shown
  const heading = `${strategy} on ${symbol} ${interval}, ${utcText(from)} to ${utcText(to)}`
  const lines = [
    heading,
    `${trialCountsText(trials)} by ${report.definition.sampler}, seed ${report.definition.seed}, for ${listText(objectives)}.`,
  ]
  if (best === undefined) return [...lines, '', noScoreText(report), ...problemLines(report)].join('\n')
  const count = shown.length === 1 ? 'one' : fixed(shown.length, 0)
  const title = front === undefined ? `The best ${count}` : `The ${count} that no other beats`
  const counted = report.counted && [luckText(report.study ?? 'This search', strategy, report.counted)]
  return [
    ...lines,
    ...['', `${title}:`, tableOf(shown, report), ...plateauNote(shown), ''],
    ...(counted ?? []),
    ...[
      '',
      'Run the best again:',
      `  ${backtestLine(options, report.study ?? false, best.trial.parameters)}`,
    ],
    ...problemLines(report),
  ].join('\n')
}

/** Why there is no best trial. */
export function noScoreText({
  trials,
  objectives,
  leastDays: { days: needed, counted },
  ...times
}: OptimizeReport): string {
  const days = daysCounted(times, counted)
  const [objective] = objectives
  if (!trials.some(({ trial }) => trial.outcome === 'finished'))
    return 'No trial finished, so there is no best one.'
  const because =
    days < needed
      ? `the objective ${objective} needs ${needed} days, and the klines have ${days}; give more of them, or another --objective`
      : `the objective ${objective} has no value for any of them, as where nothing was traded; widen the parameters, or give another --objective`
  return `No trial has a score, so there is no best one: ${because}.`
}

/** Trials that finished, each parameter set once, and in parentheses what else was asked for. */
export function trialCountsText(trials: readonly SearchedTrial[]): string {
  const different = differentTrials(trials)
  const count = (outcome: string) => different.filter(({ trial }) => trial.outcome === outcome).length
  const others = [
    [count('refused'), 'more refused'],
    [count('failed'), 'more failed'],
    [trials.length - different.length, 'asked for again, which run once'],
  ] as const
  const told = others.flatMap(([number, what]) => (number > 0 ? [`${fixed(number, 0)} ${what}`] : []))
  const finished = count('finished')
  const all = finished === 1 ? '1 trial' : `${fixed(finished, 0)} trials`
  return told.length === 0 ? all : `${all} (${told.join(', ')})`
}

/** Why trials have no result: the first of each kind. */
function problemLines({ trials }: OptimizeReport): readonly string[] {
  return (['refused', 'failed'] as const).flatMap(outcome => {
    const [first] = trials.flatMap(({ trial }) => (trial.outcome === outcome ? [trial] : []))
    return first === undefined
      ? []
      : ['', `First that was ${outcome === 'failed' ? 'ended by an error' : 'refused'}: ${first.problem}`]
  })
}

function tableOf(shown: readonly ReportedTrial[], { space, objectives, quote }: OptimizeReport): string {
  const names = space.map(({ name }) => name)
  const scored = objectives.map(name => SCORE_HEADS.get(name) ?? name)
  const ratios = RATIOS.filter(({ head }) => !scored.includes(head))
  const figures = [`net ${quote}`, 'drawdown', 'round trips', ...ratios.map(({ head }) => head)]
  const rows: string[][] = []
  for (const { number, trial, scores, plateau } of shown) {
    if (trial.outcome !== 'finished') continue
    const { netProfit, maxDrawdown, roundTrips } = trial.figures
    rows.push([
      String(number),
      ...names.map(name => valueText(trial.parameters[name])),
      ...scores.map(score => decimals(score ?? null, 3)),
      plateauText(plateau),
      netProfit === null ? 'n/a' : moneyFigure(netProfit, quote),
      maxDrawdown === null ? 'n/a' : `${fixed(100 * maxDrawdown, 1)}%`,
      decimals(roundTrips, 0),
      ...ratios.map(({ of, places }) => decimals(trial.figures[of], places)),
    ])
  }
  return plainTable(['trial', ...names, ...scored, 'plateau', ...figures], rows)
}

/** Heads of scores that are figures of a trial. */
const SCORE_HEADS: ReadonlyMap<string, string> = new Map([
  ['sharpe', 'Sharpe'],
  ['sortino', 'Sortino'],
  ['calmar', 'Calmar'],
  ['return-over-drawdown', 'return ÷ drawdown'],
  ['profit-factor', 'profit factor'],
])

/** Ratios that are shown also where they are no objective. */
const RATIOS = [
  { head: 'Sharpe', of: 'sharpe', places: 3 },
  { head: 'profit factor', of: 'profitFactor', places: 2 },
] as const

/** Why no trial has a plateau, where that is so. */
function plateauNote(shown: readonly ReportedTrial[]): readonly string[] {
  if (shown.some(({ plateau }) => plateau.neighbours > 0)) return []
  return ['No plateau: no parameter has a step, so no trial has neighbours; write one as LOW:HIGH:STEP.']
}

/** Mean score of the neighbours, and how many of them were tried where not all were. */
function plateauText({ mean, scored, neighbours }: Plateau): string {
  if (neighbours === 0) return '-'
  if (mean === undefined) return `n/a (0 of ${neighbours})`
  return scored === neighbours ? fixed(mean, 3) : `${fixed(mean, 3)} (${scored} of ${neighbours})`
}

function decimals(value: number | null, count: number): string {
  return value === null ? 'n/a' : fixed(value, count)
}

function valueText(value: unknown): string {
  return typeof value === 'number' && !Number.isInteger(value)
    ? String(Number(value.toPrecision(6)))
    : String(value)
}

/** The search as JSON: all trials in order of number, and the best ones by their numbers. */
function optimizeJson(report: OptimizeReport): string {
  const {
    strategy,
    symbol,
    interval,
    from,
    to,
    definition,
    space,
    objectives,
    front,
    ranked,
    counted,
    options,
  } = report
  const scoresOf = new Map(ranked.map(trial => [trial.trial, trial.scores]))
  const deflation = counted?.deflation.value
  return JSON.stringify(
    {
      ...{ strategy, symbol, interval, from, to, definition, space, objectives },
      trials: report.trials.map(({ number, trial }) => ({
        ...{ number, outcome: trial.outcome, parameters: trial.parameters },
        ...(trial.outcome === 'finished'
          ? {
              scores: (scoresOf.get(trial) ?? []).map(score => score ?? null),
              figures: trial.figures,
            }
          : { problem: trial.problem }),
      })),
      best: (front ?? ranked.slice(0, SHOWN)).map(({ number, plateau }) => ({ number, plateau })),
      counted: counted && {
        trials: counted.trials,
        expectedMaximum: deflation?.expectedMaximum ?? null,
        deflatedSharpe: deflation?.probability.value ?? null,
        reason: counted.deflation.reason ?? deflation?.probability.reason ?? null,
      },
      command:
        ranked[0] &&
        backtestLine(options, report.study ?? false, (front ?? ranked)[0]?.trial.parameters ?? {}),
    },
    undefined,
    2,
  )
}

import type { TimeSpan } from '../../src/klines/slice-klines.ts'
import type { GivenParameter } from '../../src/strategy/parameters.ts'
import type { Figures } from '../metrics/metrics.ts'

/** Parameters of one trial; those left out have their defaults. */
export type ParameterSet = Readonly<Record<string, GivenParameter>>

/** Figures of a trial: those of a report by the same names, in the same units. */
export const TRIAL_FIGURES = [
  'netProfit',
  'totalReturn',
  'cagr',
  'maxDrawdown',
  'sharpe',
  'sortino',
  'calmar',
  'profitFactor',
  'winRate',
  'roundTrips',
  'longestDurationMs',
  'fills',
] as const satisfies readonly (keyof Figures)[]

/** Name of a figure of a trial. */
export type TrialFigure = (typeof TRIAL_FIGURES)[number]

/** Figures of a trial; `null` where a report says that one is not available. */
export type TrialFigures = Readonly<Record<TrialFigure, number | null>>

/** Figures in the order of `TRIAL_FIGURES`, so that equal ones are the same text. */
export function orderedFigures(figures: Readonly<Partial<Record<string, number | null>>>): TrialFigures {
  // Each name has a value.
  return Object.fromEntries(TRIAL_FIGURES.map(name => [name, figures[name] ?? null])) as TrialFigures
}

/** A trial that was played to its end. */
export interface FinishedTrial {
  readonly outcome: 'finished'
  /** Complete with defaults. */
  readonly parameters: ParameterSet
  readonly figures: TrialFigures
  /** First UTC day of the returns, counted from 1970-01-01. */
  readonly firstDay: number
  /** Return of each UTC day of the span, a fraction; a position still open at its end counts at the last close. */
  readonly dailyReturns: Float64Array
  /** Time since the entry of the oldest position that is still open at the end of the span, ms; absent without one. */
  readonly openForMs?: number
  /** Klines that the strategy needed before its first decision. */
  readonly warmUp: number
}

/** A trial without a result. */
export interface FailedTrial {
  /** `refused`: the strategy cannot use the parameters. `failed`: it threw while it ran. */
  readonly outcome: 'refused' | 'failed'
  /** Complete with defaults, unless these values are what is refused. */
  readonly parameters: ParameterSet
  /** Why, as a sentence. */
  readonly problem: string
}

/** Outcome of one parameter set. */
export type Trial = FinishedTrial | FailedTrial

/** Takes a trial, and the place of its parameter set among those given. */
export type OnTrial = (trial: Trial, index: number) => void

/** Runs trials of one strategy on the same data: in this process, on threads or on other machines, with the same results. */
export interface TrialRunner {
  /**
   * Plays each parameter set; resolves to the trials in the order of the sets. Of a span (open times, ms UTC), only klines in
   * it are decided and traded on, and the klines before it warm indicators up; default: all klines, of which the first warm
   * them up, as in a backtest. Every trial starts with the opening balances and no position. Rejects with `UsageError` for a span
   * without klines. `onTrial` is told of each trial as soon as it is known, in any order.
   */
  run(sets: readonly ParameterSet[], span?: TimeSpan, onTrial?: OnTrial): Promise<readonly Trial[]>
  /** Releases threads and connections; no trial may run any more. */
  close(): Promise<void>
}

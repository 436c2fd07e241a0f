import { DAY_MS } from '../../../backtest/metrics/convention.ts'
import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import type { LeastDays } from '../../../backtest/search/objective.ts'
import { rankedTrials } from '../../../backtest/search/ranking.ts'
import { type SearchOptions, search } from '../../../backtest/search/search.ts'
import type { FinishedTrial, Trial, TrialRunner } from '../../../backtest/trials/trial.ts'
import { timesOf } from '../../../backtest/walk-forward/row-times.ts'
import type { SpanSearch } from '../../../backtest/walk-forward/span-search.ts'
import { type WalkForward, walkForward } from '../../../backtest/walk-forward/walk-forward.ts'
import {
  longestHolding,
  plannedWindows,
  type WindowPlan,
} from '../../../backtest/walk-forward/window-plan.ts'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { intervalMs } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { WalkForwardWindow } from '../../research/splits/walk-forward-windows.ts'
import { daysCounted } from './least-days.ts'

/** Windows as a command is asked for them; what is absent follows from the data. */
export interface AskedWindows extends Omit<WindowPlan, 'purge'> {
  /** In klines; default: the longest holding time seen, at most a test. */
  readonly purge?: number | undefined
}

/** Days that an objective needs, because trials of fewer have no score. */
export interface LeastTraining extends LeastDays {
  readonly objective: string
}

/** A walk-forward of a search. */
export interface WalkForwardRun {
  readonly backtest: BacktestOptions
  /** Plays `flatAtEnd` of the backtest. */
  readonly runner: TrialRunner
  readonly search: Omit<SearchOptions, 'runner' | 'span' | 'onTrial'>
  readonly asked: AskedWindows
  /** Shorter trainings are refused. */
  readonly leastTraining?: LeastTraining
  readonly onWindow?: (done: number, windows: number) => void
}

/** A walk-forward, and the windows that it was played with. */
export interface WalkForwardDone extends WalkForward {
  readonly plan: WindowPlan
  /** The newest klines, which are in no test, because no whole test is left there. */
  readonly untested: UntestedKlines
}

/** Klines after the last test. */
export interface UntestedKlines {
  readonly klines: number
  /** Open time of the first, ms UTC; absent without any. */
  readonly from?: number
}

/** The backtest of a window: what it still holds at the last close is sold there, with fees and slippage. */
export function flatAtEnd<Of extends BacktestOptions>(backtest: Of): Of {
  return { ...backtest, closeAtEnd: 'lastClose' }
}

/**
 * Searches on each training and plays the best on its test. `seen` are the trials that tell how long positions are held; without
 * them the search on the first training does. Rejects with `UsageError` for windows that do not fit.
 */
export async function runWalkForward(run: WalkForwardRun, seen?: readonly Trial[]): Promise<WalkForwardDone> {
  const { backtest, runner, onWindow } = run
  const { klines, interval } = backtest
  const data = { klines, interval }
  const searchOn = spanSearch(run)
  const plan = await purgedPlan(run, searchOn, seen)
  const windows = plannedWindows(klines.length, plan)
  requireScores(windows, run)
  const done = await walkForward({
    ...{ data, windows, runner, search: searchOn },
    onWindow: count => onWindow?.(count, windows.length),
  })
  const { from: begin, to: end } = windows.at(-1)?.test ?? { from: 0, to: 0 }
  const from = klines.openTime[end]
  const untested = { klines: klines.length - end, ...(from !== undefined && { from }) }
  return { ...done, plan: { ...plan, windows: windows.length, test: end - begin }, untested }
}

/** Throws `UsageError` where a training is so short that the objective has no value on it, whatever is traded. */
function requireScores(
  windows: readonly WalkForwardWindow[],
  { backtest, leastTraining }: WalkForwardRun,
): void {
  if (leastTraining === undefined) return
  const { objective, days, counted } = leastTraining
  for (const { train } of windows) {
    const times = timesOf(backtest, train)
    const there = daysCounted(times, counted)
    if (there >= days) continue
    const needed = Math.ceil((days * DAY_MS) / intervalMs(backtest.interval))
    throw new UsageError(
      `The training from ${utcText(times.from)} to ${utcText(times.to)} has ${there} ${there === 1 ? 'day' : 'days'}, and ${objective} needs at least ${days}, which are ${needed} klines; give longer trainings with --train, fewer windows, more klines, or another objective.`,
    )
  }
}

function spanSearch({ search: options, runner }: WalkForwardRun): SpanSearch {
  return async span => {
    const searched = await search({ ...options, runner, span })
    // A score is one of a finished trial.
    return {
      trials: searched.map(({ trial }) => trial),
      best: rankedTrials(searched)[0]?.trial as FinishedTrial,
    }
  }
}

async function purgedPlan(
  { backtest: { klines, interval }, asked }: WalkForwardRun,
  searchOn: SpanSearch,
  seen: readonly Trial[] | undefined,
): Promise<WindowPlan> {
  if (asked.purge !== undefined) return { ...asked, purge: asked.purge }
  const [first] = plannedWindows(klines.length, { ...asked, purge: 0 })
  if (first === undefined) return { ...asked, purge: 0 }
  const end = klines.openTime[first.train.to]
  const { trials } =
    seen === undefined ? await searchOn(end === undefined ? {} : { to: end }) : { trials: seen }
  const test = first.test.to - first.test.from
  return { ...asked, purge: Math.min(longestHolding(trials, interval), test) }
}

import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { rankedTrials } from '../../../backtest/search/ranking.ts'
import { type SearchOptions, search } from '../../../backtest/search/search.ts'
import type { FinishedTrial, Trial, TrialRunner } from '../../../backtest/trials/trial.ts'
import type { SpanSearch } from '../../../backtest/walk-forward/span-search.ts'
import { type WalkForward, walkForward } from '../../../backtest/walk-forward/walk-forward.ts'
import {
  longestHolding,
  plannedWindows,
  type WindowPlan,
} from '../../../backtest/walk-forward/window-plan.ts'

/** Windows as a command is asked for them; what is absent follows from the data. */
export interface AskedWindows extends Omit<WindowPlan, 'purge'> {
  /** In klines; default: the longest holding time seen, at most a test. */
  readonly purge?: number | undefined
}

/** A walk-forward of a search. */
export interface WalkForwardRun {
  readonly backtest: BacktestOptions
  /** Plays `flatAtEnd` of the backtest. */
  readonly runner: TrialRunner
  readonly search: Omit<SearchOptions, 'runner' | 'span' | 'onTrial'>
  readonly asked: AskedWindows
  readonly onWindow?: (done: number, windows: number) => void
}

/** A walk-forward, and the windows that it was played with. */
export interface WalkForwardDone extends WalkForward {
  readonly plan: WindowPlan
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
  const done = await walkForward({
    ...{ data, windows, runner, search: searchOn },
    onWindow: count => onWindow?.(count, windows.length),
  })
  return { ...done, plan }
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

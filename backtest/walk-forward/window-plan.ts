import { type Interval, intervalMs } from '../../src/domain/market-data/interval.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'
import { type WalkForwardWindow, walkForwardWindows } from '../../src/research/splits/walk-forward-windows.ts'
import type { Trial } from '../trials/trial.ts'

/** Windows as they are asked for, in klines. */
export interface WindowPlan {
  /** Number of windows; with `train` and `test` given, as many as fit. */
  readonly windows: number
  /** Default: three times the test. */
  readonly train?: number | undefined
  /** Default: as long as so many windows allow. */
  readonly test?: number | undefined
  readonly purge: number
  readonly embargo: number
  readonly isAnchored: boolean
}

/** Tests that a training is as long as, where nothing else is said. */
const TESTS_PER_TRAINING = 3

/** The windows of a plan on so many klines; throws `UsageError` where they do not fit. */
export function plannedWindows(rows: number, plan: WindowPlan): readonly WalkForwardWindow[] {
  const { windows, purge, embargo, isAnchored } = plan
  const left = rows - purge - embargo
  const test = plan.test ?? longestTest(left, plan)
  const train = plan.train ?? TESTS_PER_TRAINING * test
  if (plan.test === undefined && test < 1) {
    const needed = purge + embargo + (plan.train ?? TESTS_PER_TRAINING) + windows
    throw new UsageError(
      `${windows} windows need at least ${needed} klines, and there are ${rows}; give more data, or fewer or shorter windows.`,
    )
  }
  const all = walkForwardWindows({ rows, train, test, purge, embargo, isAnchored })
  return plan.train !== undefined && plan.test !== undefined ? all : all.slice(0, windows)
}

function longestTest(left: number, { windows, train }: WindowPlan): number {
  return Math.floor(train === undefined ? left / (windows + TESTS_PER_TRAINING) : (left - train) / windows)
}

/** Longest time that any trial held a position, in klines, rounded up; of one that is still open, until the end of the span. */
export function longestHolding(trials: readonly Trial[], interval: Interval): number {
  const longest = largest(trials, ({ figures, openForMs = 0 }) =>
    Math.max(figures.longestDurationMs ?? 0, openForMs),
  )
  return Math.ceil(longest / intervalMs(interval))
}

/** Longest warm-up of any trial, in klines. */
export function longestWarmUp(trials: readonly Trial[]): number {
  return largest(trials, ({ warmUp }) => warmUp)
}

function largest(trials: readonly Trial[], of: (trial: Trial & { outcome: 'finished' }) => number): number {
  return trials.reduce((most, trial) => (trial.outcome === 'finished' ? Math.max(most, of(trial)) : most), 0)
}

import { utcText } from '../../src/domain/market-data/civil-date.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'
import type { WalkForwardWindow } from '../../src/research/splits/walk-forward-windows.ts'
import { type DailyRecord, stitchedRecord } from '../../src/research/walk-forward/daily-record.ts'
import type { WindowReturns } from '../../src/research/walk-forward/efficiency.ts'
import type { ParameterSet, Trial, TrialRunner } from '../trials/trial.ts'
import { type RowTimes, recordOver, spanOf, timesOf, type WindowedKlines } from './row-times.ts'
import type { SpanChoice, SpanSearch } from './span-search.ts'

/** Everything that a walk-forward needs. */
export interface WalkForwardOptions {
  readonly data: WindowedKlines
  readonly windows: readonly WalkForwardWindow[]
  /** Chooses parameters on each training. */
  readonly search: SpanSearch
  /** Plays the chosen parameters on each test. */
  readonly runner: TrialRunner
  /** Called after each window with the number of those done. */
  readonly onWindow?: (done: number) => void
}

/** One window with what was chosen and what became of it. */
export interface PlayedWindow {
  readonly train: RowTimes
  readonly test: RowTimes
  /** Number of parameter sets that were tried. */
  readonly tried: number
  /** Number of those that bought or sold on the training. */
  readonly traded: number
  /** `undefined` where no set had a score: the test stays in cash. */
  readonly chosen: ParameterSet | undefined
  /** Daily returns of the chosen parameters on the training. */
  readonly inSample: DailyRecord
  /** The same on the test, which starts flat. */
  readonly outOfSample: DailyRecord
  /** Closed round trips of the test. */
  readonly roundTrips: number
}

/** All windows, and their tests as one record. */
export interface WalkForward {
  readonly windows: readonly PlayedWindow[]
  /** Daily returns of the tests one after another; a day that two share is compounded. */
  readonly stitched: DailyRecord
}

/**
 * Chooses parameters on the training of each window and plays them on its test. Each test starts flat with the opening balances.
 * Rejects with `UsageError` where no parameters can be played, and with the sentence of a strategy that fails on a test.
 */
export async function walkForward(options: WalkForwardOptions): Promise<WalkForward> {
  const windows: PlayedWindow[] = []
  for (const window of options.windows) {
    windows.push(await playedWindow(window, options))
    options.onWindow?.(windows.length)
  }
  return { windows, stitched: stitchedRecord(windows.map(({ outOfSample }) => outOfSample)) }
}

/** Returns of windows, as their efficiency is computed of them. */
export function windowReturnsOf(windows: readonly PlayedWindow[]): readonly WindowReturns[] {
  return windows.map(({ chosen, inSample, outOfSample }) => ({
    ...{ inSample: inSample.returns, outOfSample: outOfSample.returns, choseNothing: chosen === undefined },
  }))
}

async function playedWindow(
  { train, test }: WalkForwardWindow,
  { data, search, runner }: WalkForwardOptions,
): Promise<PlayedWindow> {
  const times = { train: timesOf(data, train), test: timesOf(data, test) }
  const choice = await search(spanOf(data, train))
  requirePlayed(choice, times.train)
  const { best, trials } = choice
  const [tested] = best === undefined ? [] : await runner.run([best.parameters], spanOf(data, test))
  requirePlayable(tested, times.test)
  return {
    ...times,
    tried: trials.length,
    traded: trials.filter(trial => trial.outcome === 'finished' && trial.figures.fills !== 0).length,
    chosen: best?.parameters,
    inSample: recordOver(times.train, best),
    outOfSample: recordOver(times.test, tested),
    roundTrips: tested?.outcome === 'finished' ? (tested.figures.roundTrips ?? 0) : 0,
  }
}

/** Throws `UsageError` where every trial of a training was refused or failed. */
export function requirePlayed({ trials }: SpanChoice, { from, to }: RowTimes): void {
  if (trials.some(({ outcome }) => outcome === 'finished')) return
  const [first] = trials
  const because =
    first === undefined || first.outcome === 'finished' ? '' : ` The first one: ${first.problem}`
  throw new UsageError(
    `None of ${trials.length} parameter sets can be played on the training from ${utcText(from)} to ${utcText(to)}.${because}`,
  )
}

/** Throws `UsageError` where chosen parameters cannot be played on a test. */
export function requirePlayable(tested: Trial | undefined, { from, to }: RowTimes): void {
  if (tested === undefined || tested.outcome === 'finished') return
  throw new UsageError(
    `The chosen parameters cannot be played on the test from ${utcText(from)} to ${utcText(to)}: ${tested.problem}`,
  )
}

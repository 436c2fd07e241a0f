import type { PermutationTest } from '../statistics/resampling/permutation-test.ts'
import { drawnResamples, type Resamples, shuffledResamples } from '../statistics/resampling/resamples.ts'
import { pathQuantiles, resampledTrades } from '../statistics/resampling/trade-resampling.ts'
import type { MarketRegression } from '../statistics/sample/market-regression.ts'
import { meanT } from '../statistics/sample/newey-west.ts'
import { defined, derived, type Statistic } from '../statistics/statistic.ts'
import { newerHalf, type WindowReturns, walkForwardEfficiency } from '../walk-forward/efficiency.ts'
import type { Criterion } from './criterion.ts'
import type { TrialsEvidence } from './trials-evidence.ts'

/** Bounds that figures must be beyond. */
export interface VerdictThresholds {
  /** SPA p-value below it. */
  readonly superiorAbilityP: number
  /** Deflated Sharpe ratio above it. */
  readonly deflatedSharpe: number
  /** t of the daily returns out of sample above it. */
  readonly outOfSampleT: number
  /** t of the alpha out of sample above it. */
  readonly alphaT: number
  /** Walk-forward efficiency above it, in all tests and in the newer half of them. */
  readonly efficiency: number
  /** p-values of the controls below it. */
  readonly controlP: number
  /** Warning: probability of backtest overfitting below it. */
  readonly overfitting: number
  /** Warning: share of redrawn trade sequences that lose below it. */
  readonly losingShare: number
}

/** Everything that a verdict is made of. */
export interface VerdictEvidence {
  readonly trialCount: number
  readonly trials: TrialsEvidence
  /** Windows of the walk-forward. */
  readonly windows: readonly WindowReturns[]
  /** Daily returns of all tests, stitched. */
  readonly outOfSample: Float64Array
  /** The same beside holding the market on the same days. */
  readonly besideMarket: Statistic<MarketRegression>
  /** Mean return of a position of the judged parameters against those of the same lengths at other times. */
  readonly controls: Controls
  /** Total return of the judged parameters at double fees and slippage, as a fraction. */
  readonly atDoubleCosts: Statistic
  /** True where there are no costs, so that doubling them tells nothing: then that figure only warns. */
  readonly isFree: boolean
  /** The same on the worst path inside each kline. */
  readonly onWorstPath: Statistic
  /** Return of each round trip of the judged parameters, as a fraction of equity. */
  readonly tripReturns: Float64Array
  /** Number of redrawn trade sequences. */
  readonly resamples: number
  readonly seed: string
}

/** Tests of positions against the same at times that know nothing. */
export interface Controls {
  readonly random: Statistic<PermutationTest>
  readonly shifted: Statistic<PermutationTest>
}

/** No better than a coin toss. */
const EVEN = 0.5

/** The criteria of a verdict, those that decide first. */
export function verdictCriteria(evidence: VerdictEvidence, thresholds: VerdictThresholds): Criterion[] {
  return [
    ...ofTrials(evidence, thresholds),
    ...ofWalkForward(evidence, thresholds),
    ...ofControls(evidence, thresholds),
    ...ofStress(evidence),
    ...warnings(evidence, thresholds),
  ]
}

function ofTrials(
  { trials, trialCount }: VerdictEvidence,
  { superiorAbilityP, deflatedSharpe }: VerdictThresholds,
): Criterion[] {
  const over = trialCount === 1 ? 'the only trial' : `all ${trialCount} trials`
  const { value: tried } = trials.tried
  const effective = tried === undefined ? '' : `, ${Number(tried.trials.toFixed(2))}`
  return [
    {
      key: 'superiorAbility',
      title: `p-value of the test for superior predictive ability over ${over}`,
      figure: trials.superiorAbility,
      ...{ unit: 'probability', side: 'below', threshold: superiorAbilityP, against: EVEN },
    },
    {
      key: 'deflatedSharpe',
      title: `deflated Sharpe ratio by the effective number of trials${effective} (probability that the true ratio is above that luck)`,
      figure: derived(trials.deflated, ({ probability }) => probability),
      ...{ unit: 'probability', side: 'above', threshold: deflatedSharpe, against: EVEN },
    },
  ]
}

function ofWalkForward(
  { windows, outOfSample, besideMarket }: VerdictEvidence,
  { outOfSampleT, alphaT, efficiency }: VerdictThresholds,
): Criterion[] {
  return [
    {
      key: 'outOfSampleT',
      title: 't of the daily returns out of sample',
      figure: meanT(outOfSample),
      ...{ unit: 'number', side: 'above', threshold: outOfSampleT, against: 0 },
    },
    {
      key: 'alphaT',
      title:
        't of the alpha out of sample (the part of the returns that holding the market does not explain)',
      figure: derived(besideMarket, ({ t }) => defined(t)),
      ...{ unit: 'number', side: 'above', threshold: alphaT, against: 0 },
    },
    {
      key: 'efficiency',
      title: 'mean daily return of the tests as a part of that of their trainings',
      figure: walkForwardEfficiency(windows),
      ...{ unit: 'percent', side: 'above', threshold: efficiency, against: 0 },
    },
    {
      key: 'newerEfficiency',
      title: 'same part in the newer half of the tests',
      figure: walkForwardEfficiency(newerHalf(windows)),
      ...{ unit: 'percent', side: 'above', threshold: efficiency, against: 0 },
    },
  ]
}

function ofControls({ controls }: VerdictEvidence, { controlP }: VerdictThresholds): Criterion[] {
  const better = { unit: 'probability', side: 'below', threshold: controlP, against: EVEN } as const
  const p = (test: Statistic<PermutationTest>) => derived(test, ({ p }) => defined(p))
  return [
    {
      key: 'randomEntries',
      title: 'p-value of its positions against as many and as long ones at random times',
      figure: p(controls.random),
      ...better,
    },
    {
      key: 'shiftedSignals',
      title: 'p-value of its positions against the same ones moved in time',
      figure: p(controls.shifted),
      ...better,
    },
  ]
}

function ofStress({ atDoubleCosts, isFree, onWorstPath }: VerdictEvidence): Criterion[] {
  const positive = { unit: 'percent', side: 'above', threshold: 0, against: 0 } as const
  return [
    {
      key: 'doubleCosts',
      title: 'return at double fees and slippage',
      figure: atDoubleCosts,
      ...positive,
      ...(isFree && { isWarning: true }),
    },
    {
      key: 'worstPath',
      title: 'return on the worst path inside each kline',
      figure: onWorstPath,
      ...positive,
    },
  ]
}

function warnings(
  { trials, tripReturns, resamples: count, seed }: VerdictEvidence,
  { overfitting, losingShare }: VerdictThresholds,
): Criterion[] {
  const redrawn = redrawnTrips(tripReturns.length, count, seed)
  return [
    {
      key: 'overfitting',
      title: 'probability of backtest overfitting',
      figure: derived(trials.overfitting, ({ pbo }) => defined(pbo)),
      ...{ unit: 'number', side: 'below', threshold: overfitting, isWarning: true },
    },
    {
      key: 'losingShare',
      title: 'share of redrawn sequences of its round trips that lose',
      figure: derived(resampledTrades(tripReturns, redrawn), ({ shareLosing }) => defined(shareLosing)),
      ...{ unit: 'percent', side: 'below', threshold: losingShare, isWarning: true },
    },
  ]
}

/** Sequences of round trips drawn from them, with replacement. */
export function redrawnTrips(size: number, count: number, seed: string): Resamples {
  return drawnResamples({ size, count, seed: `${seed}/trades` })
}

/** The same round trips in other orders. */
export function shuffledTrips(size: number, count: number, seed: string): Resamples {
  return shuffledResamples({ size, count, seed: `${seed}/shuffles` })
}

/** Drawdown of the round trips in the order they came, and quantiles of it in drawn orders. */
export function drawdownLuck(
  tripReturns: Float64Array,
  shuffled: Parameters<typeof resampledTrades>[1],
): Statistic<{ readonly observed: number; readonly median: number; readonly worstTwentieth: number }> {
  return derived(resampledTrades(tripReturns, shuffled), ({ observed, paths }) => {
    const [median = Number.NaN, worstTwentieth = Number.NaN] = pathQuantiles(paths.maxDrawdown, [0.5, 0.95])
    return defined({ observed: observed.maxDrawdown, median, worstTwentieth })
  })
}

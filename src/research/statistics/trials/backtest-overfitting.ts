import { UsageError } from '../../../domain/sluice-error.ts'
import { meanOf } from '../sample/moments.ts'
import { quantileOf } from '../sample/quantile.ts'
import { isConstant } from '../sample/sample-problem.ts'
import { defined, type Statistic, undefinedBecause } from '../statistic.ts'
import { type BlockMoments, blockMoments, JoinedBlocks } from './block-sharpes.ts'
import { eachHalf, halfCombinations } from './half-combinations.ts'
import { type TrialReturns, trialsProblem } from './trials-problem.ts'

/** More blocks would take hours, and show nothing more. */
const MOST_BLOCKS = 24

/** Out-of-sample results of the trial that is best in sample, over all halves of the record. */
export interface BacktestOverfitting extends SelectedTrials {
  /** Number of halves: each is in sample once, with the other half out of sample. */
  readonly combinations: number
  /** Probability of backtest overfitting: share of halves with a logit of at most 0. */
  readonly pbo: number
  /** Share with a logit below 0: smaller where the selected trial is exactly in the middle. */
  readonly pboStrict: number
  /** Share of halves in which the selected trial has a Sharpe ratio below 0 out of sample. */
  readonly probabilityOfLoss: number
  readonly logitMean: number
  readonly logitMedian: number
  /** Least squares of the ratio out of sample on the one in sample; undefined where that is the same in all halves. */
  readonly degradation: Statistic<RegressionLine>
}

/** One entry per half that is in sample, in lexicographic order of its blocks. */
interface SelectedTrials {
  /** Index of the trial with the highest Sharpe ratio in sample, the first of equals. */
  readonly selected: Uint32Array
  /** Its rank out of sample (1 is the worst, equals share their mean rank) ÷ (trials + 1). */
  readonly relativeRank: Float64Array
  /** ln(relative rank ÷ (1 - relative rank)). */
  readonly logits: Float64Array
  /** Its Sharpe ratio per period in sample. */
  readonly inSample: Float64Array
  /** Its Sharpe ratio per period out of sample. */
  readonly outOfSample: Float64Array
}

/** A straight line through points. */
export interface RegressionLine {
  readonly slope: number
  readonly intercept: number
  /** Share of the variance that the line explains; 1 where all ordinates are alike. */
  readonly r2: number
}

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation: D. H. Bailey, J. M. Borwein, M. López de
 * Prado and Q. J. Zhu, "The Probability of Backtest Overfitting", Journal of Computational Finance, 2017. The record is cut into
 * `blocks` (even, 2 to 24) of equal length; the oldest rows that are left over are dropped. A trial that does not vary has a Sharpe
 * ratio of 0. Undefined for one trial, because nothing was selected, and for a record too short for its blocks.
 */
export function backtestOverfitting(trials: TrialReturns, blocks: number): Statistic<BacktestOverfitting> {
  if (!Number.isInteger(blocks) || blocks < 2 || blocks > MOST_BLOCKS || blocks % 2 === 1) {
    throw new UsageError(`${blocks} blocks are not an even number from 2 to ${MOST_BLOCKS}.`)
  }
  const problem = trialsProblem(trials) ?? selectionProblem(trials, blocks)
  if (problem !== undefined) return undefinedBecause(problem)
  const found = selectedTrials(blockMoments(trials, blocks), blocks)
  const { logits, inSample, outOfSample } = found
  return defined({
    ...found,
    combinations: logits.length,
    pbo: share(logits, logit => logit <= LOGIT_ROUNDING),
    pboStrict: share(logits, logit => logit < -LOGIT_ROUNDING),
    probabilityOfLoss: share(outOfSample, sharpe => sharpe < 0),
    logitMean: meanOf(logits),
    logitMedian: quantileOf(logits.toSorted(), 0.5),
    degradation: lineThrough(inSample, outOfSample),
  })
}

/** ln(w ÷ (1 - w)) leaves this much of 0 at w = 1/2. */
const LOGIT_ROUNDING = 1e-15

function selectionProblem(trials: TrialReturns, blocks: number): string | undefined {
  if (trials.length < 2) return 'With one trial nothing is selected.'
  const periods = trials[0]?.length ?? 0
  const needed = Math.max(blocks, 4)
  return periods < needed
    ? `${blocks} blocks need at least ${needed} returns, and there are ${periods}.`
    : undefined
}

function selectedTrials(moments: BlockMoments, blocks: number): SelectedTrials {
  const joined = new JoinedBlocks(moments)
  const [first, second] = [new Float64Array(moments.trials), new Float64Array(moments.trials)]
  const count = halfCombinations(blocks)
  const found = emptySelection(count)
  eachHalf(blocks, (chosen, others, index) => {
    joined.sharpesInto(first, chosen)
    joined.sharpesInto(second, others)
    select(found, index, first, second)
    select(found, count - 1 - index, second, first)
  })
  return found
}

function emptySelection(count: number): SelectedTrials {
  return {
    selected: new Uint32Array(count),
    relativeRank: new Float64Array(count),
    logits: new Float64Array(count),
    inSample: new Float64Array(count),
    outOfSample: new Float64Array(count),
  }
}

function select(
  found: SelectedTrials,
  index: number,
  inSample: Float64Array,
  outOfSample: Float64Array,
): void {
  const best = indexOfLargest(inSample)
  const rank = rankOf(outOfSample, outOfSample[best] as number) / (inSample.length + 1)
  found.selected[index] = best
  found.relativeRank[index] = rank
  found.logits[index] = Math.log(rank / (1 - rank))
  found.inSample[index] = inSample[best] as number
  found.outOfSample[index] = outOfSample[best] as number
}

function indexOfLargest(values: Float64Array): number {
  let best = 0
  for (let index = 1; index < values.length; index++) {
    if ((values[index] as number) > (values[best] as number)) best = index
  }
  return best
}

/** Rank of a value among values that it is one of, 1 the smallest; equals share their mean rank. */
function rankOf(values: Float64Array, value: number): number {
  let [below, equal] = [0, 0]
  for (let index = 0; index < values.length; index++) {
    const other = values[index] as number
    if (other < value) below++
    else if (other === value) equal++
  }
  return below + (equal + 1) / 2
}

function share(values: Float64Array, holds: (value: number) => boolean): number {
  return values.reduce((count, value) => count + (holds(value) ? 1 : 0), 0) / values.length
}

function lineThrough(x: Float64Array, y: Float64Array): Statistic<RegressionLine> {
  if (isConstant(x)) return undefinedBecause('The Sharpe ratio in sample is the same in all halves.')
  const [meanX, meanY] = [meanOf(x), meanOf(y)]
  let [xx, xy, yy] = [0, 0, 0]
  for (let index = 0; index < x.length; index++) {
    const [dx, dy] = [(x[index] as number) - meanX, (y[index] as number) - meanY]
    xx += dx * dx
    xy += dx * dy
    yy += dy * dy
  }
  return defined({
    slope: xy / xx,
    intercept: meanY - (xy / xx) * meanX,
    r2: yy === 0 ? 1 : xy ** 2 / (xx * yy),
  })
}

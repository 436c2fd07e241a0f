import type { TrialReturns } from './trials-problem.ts'

/**
 * Means of all trials in resamples of their periods. Periods that follow each other in a resample are added as one
 * difference of running sums, so that a block costs as much as one period.
 */
export class ResampledMeans {
  readonly #trials: number
  readonly #periods: number
  /** Sum of the returns before each period, and in the end of all; the trials of a period side by side. */
  readonly #sums: Float64Array
  readonly #means: Float64Array

  constructor(trials: TrialReturns) {
    this.#trials = trials.length
    this.#periods = trials[0]?.length ?? 0
    this.#sums = new Float64Array((this.#periods + 1) * this.#trials)
    this.#means = new Float64Array(this.#trials)
    trials.forEach((returns, trial) => {
      let sum = 0
      for (let period = 0; period < this.#periods; period++) {
        sum += returns[period] as number
        this.#sums[(period + 1) * this.#trials + trial] = sum
      }
    })
  }

  /** The mean of each trial over these periods; valid until the next call. */
  of(periods: Int32Array): Float64Array {
    this.#means.fill(0)
    let from = 0
    for (let place = 1; place <= periods.length; place++) {
      if (place < periods.length && periods[place] === (periods[place - 1] as number) + 1) continue
      this.#addBlock(periods[from] as number, periods[place - 1] as number)
      from = place
    }
    for (let trial = 0; trial < this.#trials; trial++) {
      this.#means[trial] = (this.#means[trial] as number) / periods.length
    }
    return this.#means
  }

  #addBlock(first: number, last: number): void {
    const [means, sums, trials] = [this.#means, this.#sums, this.#trials]
    const [before, after] = [first * trials, (last + 1) * trials]
    for (let trial = 0; trial < trials; trial++) {
      const sum = (sums[after + trial] as number) - (sums[before + trial] as number)
      means[trial] = (means[trial] as number) + sum
    }
  }
}

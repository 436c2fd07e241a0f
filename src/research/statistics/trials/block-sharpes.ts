import { meanOf, ROUNDING } from '../sample/moments.ts'
import type { TrialReturns } from './trials-problem.ts'

/** Mean and squared deviation of each trial's returns in each block of rows, so that blocks can be joined. */
export interface BlockMoments {
  /** Rows of a block. */
  readonly rows: number
  readonly trials: number
  /** One per block and trial, the trials of a block side by side. */
  readonly means: Float64Array
  /** Sum of squared distances from that mean. */
  readonly squares: Float64Array
}

/** The moments of equal blocks in order of time; the oldest rows that make no whole block are left out. */
export function blockMoments(trials: TrialReturns, blocks: number): BlockMoments {
  const periods = trials[0]?.length ?? 0
  const rows = Math.floor(periods / blocks)
  const [means, squares] = [
    new Float64Array(blocks * trials.length),
    new Float64Array(blocks * trials.length),
  ]
  trials.forEach((returns, trial) => {
    for (let block = 0; block < blocks; block++) {
      const from = periods - rows * (blocks - block)
      const values = returns.subarray(from, from + rows)
      const mean = meanOf(values)
      means[block * trials.length + trial] = mean
      squares[block * trials.length + trial] = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
    }
  })
  return { rows, trials: trials.length, means, squares }
}

/** Computes the Sharpe ratios of all trials over joined blocks, again and again, in the same memory. */
export class JoinedBlocks {
  readonly #moments: BlockMoments
  readonly #means: Float64Array
  readonly #squares: Float64Array

  constructor(moments: BlockMoments) {
    this.#moments = moments
    this.#means = new Float64Array(moments.trials)
    this.#squares = new Float64Array(moments.trials)
  }

  /**
   * Mean ÷ sample deviation of each trial over these blocks, 0 where its returns vary by no more than rounding. Squares
   * about the mean of each block are joined by the formula of T. F. Chan, G. H. Golub and R. J. LeVeque, 1979, which keeps
   * the digits that a plain sum of squares would lose.
   */
  sharpesInto(sharpes: Float64Array, blocks: ArrayLike<number>): void {
    this.#joinMeans(blocks)
    this.#joinSquares(blocks)
    const lessOne = this.#moments.rows * blocks.length - 1
    for (let trial = 0; trial < sharpes.length; trial++) {
      const deviation = Math.sqrt((this.#squares[trial] as number) / lessOne)
      const mean = this.#means[trial] as number
      sharpes[trial] = deviation <= Math.abs(mean) * ROUNDING ? 0 : mean / deviation
    }
  }

  #joinMeans(blocks: ArrayLike<number>): void {
    const { means, trials } = this.#moments
    const joined = this.#means
    joined.fill(0)
    for (let index = 0; index < blocks.length; index++) {
      const from = (blocks[index] as number) * trials
      for (let trial = 0; trial < trials; trial++) {
        joined[trial] = (joined[trial] as number) + (means[from + trial] as number)
      }
    }
    for (let trial = 0; trial < trials; trial++) joined[trial] = (joined[trial] as number) / blocks.length
  }

  #joinSquares(blocks: ArrayLike<number>): void {
    const { means, squares, rows, trials } = this.#moments
    const [joined, centres] = [this.#squares, this.#means]
    joined.fill(0)
    for (let index = 0; index < blocks.length; index++) {
      const from = (blocks[index] as number) * trials
      for (let trial = 0; trial < trials; trial++) {
        const distance = (means[from + trial] as number) - (centres[trial] as number)
        const added = (squares[from + trial] as number) + rows * distance * distance
        joined[trial] = (joined[trial] as number) + added
      }
    }
  }
}

import type { KlineColumns } from '../../../src/klines/kline-columns.ts'

/** Rows per block of stored extremes. */
const BLOCK = 64

/** The lower, or the higher, of two numbers. */
type Pick = (left: number, right: number) => number

/**
 * Lowest and highest prices of any rows of a kline table. A few rows are scanned; for many, only those at
 * both ends, and two entries of a sparse table for the blocks between them (M. A. Bender and M.
 * Farach-Colton, "The LCA Problem Revisited", 2000), built on first use: a position held for a year costs no
 * more than one held for hours.
 */
export class KlineExtremes {
  readonly #klines: KlineColumns
  #lowest: readonly Float64Array[] | undefined
  #highest: readonly Float64Array[] | undefined

  constructor(klines: KlineColumns) {
    this.#klines = klines
  }

  /** The lowest low of the rows from `start` (included) to `end` (excluded); `Infinity` for no rows. */
  lowest(start: number, end: number): number {
    const { low } = this.#klines
    if (end - start < 2 * BLOCK) return lowestOf(low, start, end)
    this.#lowest ??= sparseTable(low, lowestOf, Math.min)
    const [first, last] = wholeBlocks(start, end)
    const ends = Math.min(lowestOf(low, start, first * BLOCK), lowestOf(low, last * BLOCK, end))
    return Math.min(ends, lookUp(this.#lowest, first, last, Math.min))
  }

  /** The highest high of the rows from `start` (included) to `end` (excluded); `-Infinity` for no rows. */
  highest(start: number, end: number): number {
    const { high } = this.#klines
    if (end - start < 2 * BLOCK) return highestOf(high, start, end)
    this.#highest ??= sparseTable(high, highestOf, Math.max)
    const [first, last] = wholeBlocks(start, end)
    const ends = Math.max(highestOf(high, start, first * BLOCK), highestOf(high, last * BLOCK, end))
    return Math.max(ends, lookUp(this.#highest, first, last, Math.max))
  }
}

/** The blocks that lie between two rows as a whole: the first, and the one after the last. There is at least one. */
function wholeBlocks(start: number, end: number): [first: number, last: number] {
  return [Math.ceil(start / BLOCK), Math.floor(end / BLOCK)]
}

/** Level n has, for every block, the extreme of the 2^n blocks from there on. */
function sparseTable(values: Float64Array, extremeOf: typeof lowestOf, pick: Pick): Float64Array[] {
  const blocks = Math.floor(values.length / BLOCK)
  let level = new Float64Array(blocks)
  for (let block = 0; block < blocks; block++) {
    level[block] = extremeOf(values, block * BLOCK, (block + 1) * BLOCK)
  }
  const levels = [level]
  for (let width = 1; 2 * width <= blocks; width *= 2) {
    const next = new Float64Array(level.length - width)
    for (let block = 0; block < next.length; block++) {
      next[block] = pick(level[block] as number, level[block + width] as number) // inside the bounds
    }
    levels.push(next)
    level = next
  }
  return levels
}

/** The extreme of the blocks from `first` (included) to `last` (excluded): of two overlapping spans that cover them. */
function lookUp(levels: readonly Float64Array[], first: number, last: number, pick: Pick): number {
  const exponent = 31 - Math.clz32(last - first)
  const level = levels[exponent] as Float64Array // there is one for every power of two that fits
  return pick(level[first] as number, level[last - 2 ** exponent] as number) // inside the bounds
}

function lowestOf(values: Float64Array, start: number, end: number): number {
  let lowest = Number.POSITIVE_INFINITY
  for (let row = start; row < end; row++) {
    const value = values[row] as number // inside the bounds
    if (value < lowest) lowest = value
  }
  return lowest
}

function highestOf(values: Float64Array, start: number, end: number): number {
  let highest = Number.NEGATIVE_INFINITY
  for (let row = start; row < end; row++) {
    const value = values[row] as number // inside the bounds
    if (value > highest) highest = value
  }
  return highest
}

import { seededRandomAt } from '../../domain/numbers/seeded-random.ts'
import { type PermutationTest, permutationTest } from '../statistics/resampling/permutation-test.ts'
import { type Statistic, undefinedBecause } from '../statistics/statistic.ts'

/** A position held from the open of one kline to that of a later one. */
export interface HeldSpan {
  /** Row of the kline at whose open it is entered. */
  readonly from: number
  /** Row of the kline at whose open it is left. */
  readonly to: number
  /** 1 for long, -1 for short. */
  readonly direction: 1 | -1
}

/** Parts that the controls of a strategy are made of. */
export interface ControlPlan {
  /** Price at the open of each kline, and last the close of the last one. */
  readonly prices: Float64Array
  /** Positions of the strategy in order of time, not overlapping. */
  readonly held: readonly HeldSpan[]
  /** Fraction of the price that an entry or an exit costs. */
  readonly cost: number
  /** Number of controls. */
  readonly count: number
  readonly seed: string
}

/**
 * The strategy's mean return of a position against positions of the same lengths and directions, in another order and at
 * times that a seed draws: entries of the same frequency that know nothing. Undefined without positions.
 */
export function randomEntriesTest(plan: ControlPlan): Statistic<PermutationTest> {
  const streamAt = seededRandomAt(`${plan.seed}/random entries`)
  return controlTest(plan, number => randomlyPlaced(plan, streamAt(number).uniform))
}

/**
 * The strategy's mean return of a position against the same positions moved by one drawn number of klines, past the end to the start: what
 * the same signals earn at the wrong time. A position that the end would cut is left out. Undefined without positions.
 */
export function shiftedSignalsTest(plan: ControlPlan): Statistic<PermutationTest> {
  const streamAt = seededRandomAt(`${plan.seed}/shifted signals`)
  const rows = plan.prices.length - 1
  return controlTest(plan, number => {
    const shift = 1 + Math.floor(streamAt(number).uniform() * (rows - 1))
    return plan.held.flatMap(({ from, to, direction }) => {
      const start = (from + shift) % rows
      const end = start + (to - from)
      return end <= rows ? [{ from: start, to: end, direction }] : []
    })
  })
}

function controlTest(
  plan: ControlPlan,
  control: (number: number) => readonly HeldSpan[],
): Statistic<PermutationTest> {
  const { held, prices, count } = plan
  if (held.length === 0) return undefinedBecause('The strategy held no position.')
  if (prices.length < 3) return undefinedBecause('There are too few klines to move a position.')
  const controls = Float64Array.from({ length: count }, (_, number) => meanReturnOf(plan, control(number)))
  return permutationTest(meanReturnOf(plan, held), controls)
}

/** Mean return of positions after costs of entry and exit; 0 without positions. */
function meanReturnOf({ prices, cost }: ControlPlan, held: readonly HeldSpan[]): number {
  if (held.length === 0) return 0
  const sum = held.reduce((total, { from, to, direction }) => {
    const change = (prices[to] as number) / (prices[from] as number) - 1
    return total + direction * change - 2 * cost
  }, 0)
  return sum / held.length
}

/** The positions in a drawn order, with the free klines between them cut at drawn places. */
function randomlyPlaced({ prices, held }: ControlPlan, uniform: () => number): HeldSpan[] {
  const lengths = shuffled(held, uniform)
  const free = prices.length - 1 - lengths.reduce((sum, { from, to }) => sum + to - from, 0)
  const cuts = Float64Array.from(lengths, () => Math.floor(uniform() * (free + 1))).sort()
  let taken = 0
  return lengths.map(({ from, to, direction }, index) => {
    const start = (cuts[index] as number) + taken
    taken += to - from
    return { from: start, to: start + to - from, direction }
  })
}

/** The shuffle of R. A. Fisher and F. Yates, 1938. */
function shuffled<One>(list: readonly One[], uniform: () => number): One[] {
  const mixed = [...list]
  for (let index = mixed.length - 1; index > 0; index--) {
    const other = Math.floor(uniform() * (index + 1))
    ;[mixed[index], mixed[other]] = [mixed[other] as One, mixed[index] as One]
  }
  return mixed
}

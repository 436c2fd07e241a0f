import type { KlineColumns } from '../../../src/klines/kline-columns.ts'

/** Rates of the account by hand. */
const [START, FEE, DAY] = [10_000, 0.001, 86_400_000]

/** Klines of half a day, as rows of numbers. */
export const HALF_DAY = DAY / 2

/**
 * Equity at each close of the rows `from` to `to - 1` of holding one coin while the close is above that of `lag` klines before:
 * decided at a close, traded at the next open with the fee, and sold at the last close.
 */
function equityByHand({ open, close }: KlineColumns, from: number, to: number, lag: number): number[] {
  const equity: number[] = []
  let [cash, coins, wanted] = [START, 0, 0]
  for (let row = from; row < to; row++) {
    const price = open[row] as number
    if (wanted > coins) cash -= price * (1 + FEE)
    if (wanted < coins) cash += price * (1 - FEE)
    coins = wanted
    const last = close[row] as number
    if (row === to - 1 && coins === 1) {
      cash += last * (1 - FEE)
      coins = 0
    }
    equity.push(cash + coins * last)
    if (row >= lag) wanted = last > (close[row - lag] as number) ? 1 : 0
  }
  return equity
}

/** Returns by UTC day of such rows: a map from the day's number. */
export function returnsByHand(
  klines: KlineColumns,
  from: number,
  to: number,
  lag: number,
): Map<number, number> {
  const equity = equityByHand(klines, from, to, lag)
  const returns = new Map<number, number>()
  let before = START
  equity.forEach((worth, index) => {
    const day = Math.floor((klines.openTime[from + index] as number) / DAY)
    const next = klines.openTime[from + index + 1]
    const isLastOfDay = index === equity.length - 1 || next === undefined || Math.floor(next / DAY) !== day
    if (!isLastOfDay) return
    returns.set(day, worth / before - 1)
    before = worth
  })
  return returns
}

/** The lag with the highest mean ÷ deviation of daily returns. */
export function bestByHand(klines: KlineColumns, from: number, to: number, lags: readonly number[]): number {
  const sharpes = lags.map(lag => {
    const values = [...returnsByHand(klines, from, to, lag).values()]
    let [sum, squares] = [0, 0]
    for (const value of values) sum += value
    const mean = sum / values.length
    for (const value of values) squares += (value - mean) * (value - mean)
    return mean / Math.sqrt(squares / (values.length - 1))
  })
  return lags[sharpes.indexOf(Math.max(...sharpes))] as number
}

/** A walk-forward by plain loops: chosen lags, returns of all test days, and sums of what trainings promised and tests kept. */
export function walkForwardByHand(
  klines: KlineColumns,
  plan: {
    readonly train: number
    readonly test: number
    readonly purge: number
    readonly isAnchored: boolean
  },
  lags: readonly number[],
): {
  readonly chosen: number[]
  readonly returns: Map<number, number>
  readonly promised: number
  readonly kept: number
} {
  const chosen: number[] = []
  const returns = new Map<number, number>()
  let [start, promised, kept] = [0, 0, 0]
  while (start + plan.train + plan.purge + plan.test <= klines.length) {
    const trainFrom = plan.isAnchored ? 0 : start
    const trainTo = start + plan.train
    const testFrom = trainTo + plan.purge
    const testTo = testFrom + plan.test
    const lag = bestByHand(klines, trainFrom, trainTo, lags)
    chosen.push(lag)
    const inside = [...returnsByHand(klines, trainFrom, trainTo, lag).values()]
    const tested = returnsByHand(klines, testFrom, testTo, lag)
    for (const [day, value] of tested) {
      kept += value
      returns.set(day, (1 + (returns.get(day) ?? 0)) * (1 + value) - 1)
    }
    promised += (inside.reduce((sum, value) => sum + value, 0) / inside.length) * tested.size
    start += plan.test
  }
  return { chosen, returns, promised, kept }
}

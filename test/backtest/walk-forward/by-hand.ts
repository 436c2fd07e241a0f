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

/** Longest time of such rows between a purchase and its sale, in klines; a sale at the last close is a kline after its open. */
function holdingByHand({ close }: KlineColumns, from: number, to: number, lag: number): number {
  let [longest, bought]: [number, number | undefined] = [0, undefined]
  for (let row = from; row < to; row++) {
    const isWanted =
      row > from && row - 1 >= lag && (close[row - 1] as number) > (close[row - 1 - lag] as number)
    if (isWanted && bought === undefined) bought = row
    const end = !isWanted ? row : row === to - 1 ? to : undefined
    if (bought === undefined || end === undefined) continue
    longest = Math.max(longest, end - bought)
    bought = undefined
  }
  return longest
}

/** The longest time that any of the lags holds a position on the first training of so many windows, at most a test. */
export function purgeByHand(
  klines: KlineColumns,
  windows: number,
  embargo: number,
  lags: readonly number[],
): number {
  const test = Math.floor((klines.length - embargo) / (windows + 3))
  return Math.min(test, Math.max(...lags.map(lag => holdingByHand(klines, 0, 3 * test, lag))))
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

/** Windows in klines. */
export interface PlanByHand {
  readonly train: number
  readonly test: number
  readonly purge: number
  readonly embargo: number
  readonly isAnchored: boolean
}

/** One window by hand. */
interface WindowByHand {
  /** Rows of training and test, the ends excluded. */
  readonly train: readonly [number, number]
  readonly test: readonly [number, number]
  readonly lag: number
  /** Returns by UTC day. */
  readonly inside: ReadonlyMap<number, number>
  readonly tested: ReadonlyMap<number, number>
}

/** A walk-forward by plain loops: its windows, and returns of all test days. */
export function walkForwardByHand(
  klines: KlineColumns,
  plan: PlanByHand,
  lags: readonly number[],
): { readonly windows: WindowByHand[]; readonly returns: Map<number, number> } {
  const windows: WindowByHand[] = []
  const returns = new Map<number, number>()
  let start = 0
  while (start + plan.train + plan.purge + plan.embargo + plan.test <= klines.length) {
    const trainFrom = plan.isAnchored ? 0 : start
    const trainTo = start + plan.train
    const testFrom = trainTo + plan.purge + plan.embargo
    const testTo = testFrom + plan.test
    const lag = bestByHand(klines, trainFrom, trainTo, lags)
    const inside = returnsByHand(klines, trainFrom, trainTo, lag)
    const tested = returnsByHand(klines, testFrom, testTo, lag)
    windows.push({ train: [trainFrom, trainTo], test: [testFrom, testTo], lag, inside, tested })
    for (const [day, value] of tested) returns.set(day, (1 + (returns.get(day) ?? 0)) * (1 + value) - 1)
    start += plan.test
  }
  return { windows, returns }
}

/** Everything that such returns came to, as a fraction. */
export function totalByHand(returns: Iterable<number>): number {
  let worth = 1
  for (const value of returns) worth *= 1 + value
  return worth - 1
}

/** Part of the mean daily return of the trainings that the tests kept, each training counted by its test's days; `undefined` without a gain. */
export function efficiencyByHand(windows: readonly WindowByHand[]): number | undefined {
  let [promised, kept] = [0, 0]
  for (const { inside, tested } of windows) {
    let sum = 0
    for (const value of inside.values()) sum += value
    promised += (sum / inside.size) * tested.size
    for (const value of tested.values()) kept += value
  }
  return promised > 0 ? kept / promised : undefined
}

/** Annual Sharpe ratio, and Newey and West's t of the mean with ⌊4·(n ÷ 100)^(2/9)⌋ lags, written out. */
export function ratiosByHand(returns: readonly number[]): { readonly sharpe: number; readonly t: number } {
  const count = returns.length
  let sum = 0
  for (const value of returns) sum += value
  const mean = sum / count
  const products = (lag: number) => {
    let of = 0
    for (let at = lag; at < count; at++)
      of += ((returns[at] as number) - mean) * ((returns[at - lag] as number) - mean)
    return of
  }
  const lags = Math.floor(4 * (count / 100) ** (2 / 9))
  let variance = products(0)
  for (let lag = 1; lag <= lags; lag++) variance += 2 * (1 - lag / (lags + 1)) * products(lag)
  return {
    sharpe: (mean / Math.sqrt(products(0) / (count - 1))) * Math.sqrt(365),
    t: mean / Math.sqrt(variance / count / count),
  }
}

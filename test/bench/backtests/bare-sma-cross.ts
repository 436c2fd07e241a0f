import type { KlineColumns } from '../../../src/klines/kline-columns.ts'

const [FEE_RATE, SLIPPAGE_RATE, MIN_NOTIONAL] = [0.001, 0.0002, 10]
const [UPPER, LOWER] = [1 + 1e-12, 1 - 1e-12]
const [TICKS_PER_ONE, STEPS_PER_ONE] = [100, 100_000]

/** What a run of the sma-cross strategy depends on. */
export interface SmaCrossSettings {
  readonly fast: number
  readonly slow: number
  /** Part of the equity that an entry is worth. */
  readonly equityFraction: number
  /** Quote at the start. */
  readonly cash: number
}

/** What the bare loop came to. */
export interface BareResult {
  readonly fills: number
  /** In quote, at the last close. */
  readonly endEquity: number
  readonly equity: Float64Array
}

/**
 * The sma-cross strategy with the defaults of config/backtest.yaml as one loop over typed arrays with plain floats: rolling
 * sums, crossings, fills at the next open with slippage and fees, an equity curve. One long function, so that nothing slows it.
 */
export function bareSmaCross({ length, open, close }: KlineColumns, settings: SmaCrossSettings): BareResult {
  const { fast: fastKlines, slow: slowKlines, equityFraction } = settings
  const equity = new Float64Array(length)
  let [cash, base, held, fills] = [settings.cash, 0, 0, 0]
  let [fastSum, slowSum, fastBefore, slowBefore] = [0, 0, Number.NaN, Number.NaN]
  let [buying, selling] = [0, false]
  for (let row = 0; row < length; row++) {
    // Every index lies inside the arrays.
    const price = open[row] as number
    if (buying > 0) {
      const paid = Math.ceil(price * (1 + SLIPPAGE_RATE) * TICKS_PER_ONE - 1e-9) / TICKS_PER_ONE
      const affordable = Math.floor((cash / paid) * STEPS_PER_ONE) / STEPS_PER_ONE
      const quantity = Math.min(buying, affordable)
      cash -= quantity * paid
      base += quantity * (1 - FEE_RATE)
      held = Math.floor(base * STEPS_PER_ONE + 1e-6) / STEPS_PER_ONE
      buying = 0
      fills++
    } else if (selling) {
      const got = Math.floor(price * (1 - SLIPPAGE_RATE) * TICKS_PER_ONE + 1e-9) / TICKS_PER_ONE
      cash += held * got * (1 - FEE_RATE)
      base -= held
      held = 0
      selling = false
      fills++
    }
    const last = close[row] as number
    fastSum += last - (row >= fastKlines ? (close[row - fastKlines] as number) : 0)
    slowSum += last - (row >= slowKlines ? (close[row - slowKlines] as number) : 0)
    const worth = cash + base * last
    equity[row] = worth
    if (row < slowKlines - 1) continue
    const fast = fastSum / fastKlines
    const slow = slowSum / slowKlines
    // Prices are above 0; what differs by rounding only is equal.
    if (fastBefore <= slowBefore * UPPER && fast > slow * UPPER && held === 0) {
      const money = Math.min(worth * equityFraction, cash)
      const quantity = Math.floor((money / last) * STEPS_PER_ONE) / STEPS_PER_ONE
      if (quantity * last >= MIN_NOTIONAL) buying = quantity
    } else if (
      fastBefore >= slowBefore * LOWER &&
      fast < slow * LOWER &&
      held > 0 &&
      held * last >= MIN_NOTIONAL
    )
      selling = true
    fastBefore = fast
    slowBefore = slow
  }
  return { fills, endEquity: equity[length - 1] ?? settings.cash, equity }
}

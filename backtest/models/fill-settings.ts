import { UsageError } from '../../src/domain/sluice-error.ts'
import type { QueueAssumption } from '../../src/matching/queue-assumption.ts'

/**
 * The assumed path inside a kline: of all paths through its open, high, low and close the one that makes
 * least by the close (`pessimistic`) or most (`optimistic`), straight lines from open to high, low and close
 * (`ohlc`) or to low, high and close (`olhc`), or the path of klines of a finer interval (`detail`; inside
 * each of them `pessimistic`).
 */
export type PathPolicy = (typeof PATH_POLICIES)[number]

/** Every policy. */
export const PATH_POLICIES = ['pessimistic', 'optimistic', 'ohlc', 'olhc', 'detail'] as const

/**
 * The rules of the fill model. The defaults never assume in the strategy's favour beyond the evidence of a
 * kline.
 */
export interface FillSettings {
  readonly path: PathPolicy
  /** Fraction of the price that market and stop orders lose to the market. */
  readonly slippageRate: number
  /** Ticks that market and stop orders lose on top. */
  readonly slippageTicks: number
  /** Fraction of the price lost on top, times the square of the share that a fill has of its kline's volume. */
  readonly volumeImpact: number
  /** Spread as a fraction of the price; a taker pays half of it. */
  readonly spreadRate: number
  /** Spread in ticks, on top; a taker pays half of it, rounded up. */
  readonly spreadTicks: number
  /** Time from the decision until an order is live, ms; it goes live at the first open from then on. */
  readonly latencyMs: number
  /** Largest part of a kline's volume that all orders together may trade on it; unlimited if absent. */
  readonly maxVolumeShare?: number | undefined
  /** Price at which a resting limit order fills: on touch, or only beyond it. */
  readonly limitFill: 'touch' | 'through'
  /** Price of a resting limit order that the open has already passed: its own, or the (better) open. */
  readonly gappedLimit: 'atLimit' | 'atOpen'
  /**
   * Protective orders work on the kline of their entry always, or only after market entries and, of a stop entry, the take-profit if
   * the stops are untouched, since every path then comes to it after the entry.
   */
  readonly entryKlineProtection: 'all' | 'marketEntries'
  /**
   * `unlessOpenPassedTakeProfit`: a take-profit already passed by the open fills before a stop-loss that the
   * kline also touches.
   */
  readonly stopLossFirst: 'unlessOpenPassedTakeProfit' | 'always'
  /**
   * A stop-limit order trades where the price meets its stop and then its limit, or at its stop price on any kline whose range reaches
   * the stop and passes a limit beyond it.
   */
  readonly stopLimit: 'gapAware' | 'atStopPrice'
  /**
   * On recorded ticks: the assumed place of a resting order at its price. There, of the other rules only
   * `latencyMs` applies.
   */
  readonly queue: QueueAssumption
}

/** Defaults of `config/backtest.yaml`. */
export const DEFAULT_FILL_SETTINGS: FillSettings = {
  path: 'pessimistic',
  slippageRate: 0.0002,
  slippageTicks: 0,
  volumeImpact: 0,
  spreadRate: 0,
  spreadTicks: 0,
  latencyMs: 0,
  limitFill: 'through',
  gappedLimit: 'atLimit',
  entryKlineProtection: 'all',
  stopLossFirst: 'unlessOpenPassedTakeProfit',
  stopLimit: 'gapAware',
  queue: 'shown',
}

/** Rules of engines that ignore the path; any other value of theirs needs the path `pessimistic`. */
const PATHLESS_RULES = ['entryKlineProtection', 'stopLossFirst', 'stopLimit'] as const

/** True if the settings ask for the rules of an engine that ignores the path. */
export function isPathless(settings: FillSettings): boolean {
  return PATHLESS_RULES.some(rule => settings[rule] !== DEFAULT_FILL_SETTINGS[rule])
}

/** Throws `UsageError` for settings that contradict each other. */
export function checkFillSettings(settings: FillSettings): void {
  if (settings.path === 'pessimistic') return
  for (const rule of PATHLESS_RULES) {
    const only = DEFAULT_FILL_SETTINGS[rule]
    if (settings[rule] === only) continue
    throw new UsageError(
      `The fill settings ${rule}: ${settings[rule]} and path: ${settings.path} contradict each other, because that rule ignores the path inside a kline. Use ${rule}: ${only}, or path: pessimistic.`,
    )
  }
}

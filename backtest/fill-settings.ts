/** The rules of the fill model. The defaults never assume what a kline cannot prove in the strategy's favour. */
export interface FillSettings {
  /** Fraction of the price that market and stop orders lose to the market. */
  readonly slippageRate: number
  /** Ticks that market and stop orders lose on top: half the spread of a quiet book. */
  readonly slippageTicks: number
  /** Whether a resting limit order fills when the price only touches it, or when it trades beyond it. */
  readonly limitFill: 'touch' | 'through'
  /** Price of a resting limit order that the open has already passed: its own, or the (better) open. */
  readonly gappedLimit: 'atLimit' | 'atOpen'
  /**
   * Whether protective orders work on the kline of their entry: always, or only after market entries (and, for the
   * take-profit of a stop entry, where the stop-loss is untouched).
   */
  readonly entryKlineProtection: 'all' | 'marketEntries'
  /** Whether a take-profit that the open has already passed fills before a stop-loss that the kline touches as well. */
  readonly stopLossFirst: 'unlessOpenPassedTakeProfit' | 'always'
  /** A stop-limit order that the open jumps over: rests at its limit, or fills at its stop price all the same. */
  readonly stopLimit: 'gapAware' | 'atStopPrice'
}

/** What `config/backtest.yaml` starts from. */
export const DEFAULT_FILL_SETTINGS: FillSettings = {
  slippageRate: 0.0002,
  slippageTicks: 0,
  limitFill: 'through',
  gappedLimit: 'atLimit',
  entryKlineProtection: 'all',
  stopLossFirst: 'unlessOpenPassedTakeProfit',
  stopLimit: 'gapAware',
}

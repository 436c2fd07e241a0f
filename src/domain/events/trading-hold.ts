/** Allowed orders: all, only those that reduce a position, or only protective ones. */
export type TradingMode = 'active' | 'reducing' | 'halted'

export type ProtectionName =
  | 'dailyLoss'
  | 'drawdown'
  | 'lossesInARow'
  | 'cooldownAfterStop'
  | 'staleData'
  | 'clockUncertainty'
  | 'spread'

/** Origin of a hold: the operator, a failed invariant, or a protection. */
export type HoldSource = 'operator' | 'invariant' | ProtectionName

/** One restriction on orders. */
export interface TradingHold {
  readonly mode: Exclude<TradingMode, 'active'>
  readonly source: HoldSource
  /** Reason, a whole sentence for people. */
  readonly reason: string
  /** Market time, ms UTC. */
  readonly since: number
  /** Market time of its automatic end, ms UTC; without it, it must be lifted. */
  readonly until?: number | undefined
}

/**
 * Scope of a trading state: the whole account, with `symbol` one instrument, with all fields one strategy's
 * book.
 */
export interface TradingScope {
  readonly symbol?: string | undefined
  readonly strategy?: string | undefined
  readonly book?: string | undefined
}

/** A hold with its scope. */
export interface ScopedHold {
  readonly scope: TradingScope
  readonly hold: TradingHold
}

/** A scope for people: `account`, `BTC/USDT`, or a strategy on its book, such as `sma-cross on BTC/USDT`. */
export function scopeText({ symbol, strategy, book }: TradingScope): string {
  if (symbol === undefined) return 'account'
  return strategy === undefined ? symbol : `${strategy} on ${book ?? symbol}`
}

/** Key of a scope in what is kept: `account`, `BTC/USDT`, `sma-cross on BTC/USDT`, or the book if several strategies trade a symbol. */
export function scopeKey({ symbol, strategy, book }: TradingScope): string {
  if (symbol === undefined) return 'account'
  if (strategy === undefined) return symbol
  return book === undefined || book === symbol ? `${strategy} on ${symbol}` : book
}

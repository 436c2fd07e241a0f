/** What may be sent: everything, only what makes a position smaller, or only what protects it. */
export type TradingMode = 'active' | 'reducing' | 'halted'

/** The protections there are. */
export type ProtectionName =
  | 'dailyLoss'
  | 'drawdown'
  | 'lossesInARow'
  | 'cooldownAfterStop'
  | 'staleData'
  | 'clockUncertainty'
  | 'spread'

/** Who holds trading back: the person in charge, Sluice that cannot trust itself or the account, or a protection. */
export type HoldSource = 'operator' | 'invariant' | ProtectionName

/** One reason why not everything may be sent. */
export interface TradingHold {
  readonly mode: Exclude<TradingMode, 'active'>
  readonly source: HoldSource
  /** A whole sentence for people. */
  readonly reason: string
  /** Market time, ms UTC. */
  readonly since: number
  /** Market time at which it ends by itself, ms UTC; without it, it must be lifted. */
  readonly until?: number | undefined
}

/** What a trading state is about: the whole account, with `symbol` one instrument, with all one strategy's book on it. */
export interface TradingScope {
  readonly symbol?: string | undefined
  readonly strategy?: string | undefined
  readonly book?: string | undefined
}

/** A hold and what it is about. */
export interface ScopedHold {
  readonly scope: TradingScope
  readonly hold: TradingHold
}

/** A scope in words, of no other scope: `account`, `BTC/USDT`, `sma-cross on BTC/USDT`, or the book where several strategies trade a symbol. */
export function scopeText({ symbol, strategy, book }: TradingScope): string {
  if (symbol === undefined) return 'account'
  if (strategy === undefined) return symbol
  return book === undefined || book === symbol ? `${strategy} on ${symbol}` : book
}

import type { Amount } from '../numbers/amount.ts'
import type { Steps, Ticks } from '../numbers/grid.ts'
import type { Denial, PassedCheck } from '../orders/denial.ts'
import type { OrderIntent } from '../orders/order-intent.ts'
import type { Direction } from '../orders/side.ts'

/** A strategy is about to decide on a kline of its own. */
export interface KlineDecided {
  readonly type: 'klineDecided'
  readonly strategy: string
  readonly symbol: string
  /** Book of the strategy. */
  readonly book: string
  /** Market time of the decision, ms UTC. */
  readonly time: number
  /** Values of its indicators by name: numbers, or records of numbers. */
  readonly indicators: Readonly<Record<string, unknown>>
  /** Levels of its active trailing stops on its own instrument. */
  readonly trailing: readonly { readonly clientOrderId: string; readonly price: Ticks }[]
  /** Its positions in its own instrument: at most one, or one for each side in two-way mode. */
  readonly held: readonly { readonly direction: Direction; readonly quantity: Steps }[]
  /** Directions in which an entry at market of it is under way. */
  readonly entering: readonly Direction[]
  /** True while an exit at market of it is under way. */
  readonly isLeaving: boolean
  /** Everything owned, in quote. */
  readonly equity: Amount
  /** Free money of the account of its instrument, in quote. */
  readonly free: Amount
}

/** A strategy has seen a kline of its own that it does not decide on: history, or part of its warm-up. */
export interface KlineSeen {
  readonly type: 'klineSeen'
  readonly strategy: string
  readonly symbol: string
  /** Book of the strategy. */
  readonly book: string
  /** Close of the kline, ms UTC. */
  readonly time: number
  /** Values of its indicators by name, as of a decision; `NaN` while one has none. */
  readonly indicators: Readonly<Record<string, unknown>>
}

/** A strategy plotted values of own series for charts. */
export interface Plotted {
  readonly type: 'plotted'
  readonly strategy: string
  readonly symbol: string
  /** Book of the strategy. */
  readonly book: string
  /** Market time, ms UTC. */
  readonly time: number
  /** By name of the series, as they were given. */
  readonly values: Readonly<Record<string, unknown>>
}

/** Risk has assessed an order. */
export interface OrderAssessed {
  readonly type: 'orderAssessed'
  readonly intent: OrderIntent
  /** Everything owned, in quote, at the decision. */
  readonly equity: Amount
  /** Free money of the account of the instrument, in quote. */
  readonly free: Amount
  /** The checks that let it pass, in order, up to the one that denied it. */
  readonly passed: readonly PassedCheck[]
  /** Quantity on the grid, if it was approved. */
  readonly quantity?: Steps
  /** Absent if it was approved. */
  readonly denial?: Denial
}

/** Values that a decision followed from, beside its event: derived again by every replay, and part of no result. */
export type Explanation = KlineDecided | KlineSeen | Plotted | OrderAssessed

/** Receives explanations while the event that they belong to is processed; must return at once. */
export type Explain = (explanation: Explanation) => void

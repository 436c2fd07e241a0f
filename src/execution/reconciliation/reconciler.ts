import type { Amount } from '../../domain/numbers/amount.ts'
import { BalanceComparison, isCompared } from './balance-comparison.ts'
import { FuturesComparison } from './futures-comparison.ts'
import { NamesakeWatch } from './namesake-watch.ts'
import { OrderComparison } from './order-comparison.ts'
import type { AccountPosition } from './position-differences.ts'
import type { ReconcilerOptions } from './reconciler-options.ts'
import type { LockedCoins } from './reconciliation-report.ts'
import { TradeComparison } from './trade-comparison.ts'

/** Outcome of a look. */
export type Agreement = 'agreed' | 'later' | 'suspected'

/** A comparison: a read, then a check, while no booking changed the ledger in between. */
interface Comparison {
  read(): Promise<void>
  compare(): 'agreed' | 'suspected'
}

/**
 * Compares our accounts at the exchange with the ledger: orders, own trades, balances, positions. Missed own
 * trades are booked; foreign ones are reported; an unexplained difference halts its instrument. Looking again
 * changes nothing.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions
  readonly #namesake: NamesakeWatch
  readonly #orders: OrderComparison
  readonly #trades: TradeComparison
  readonly #balances: BalanceComparison | undefined
  readonly #futures: FuturesComparison | undefined
  readonly #comparisons: readonly Comparison[]

  constructor(options: ReconcilerOptions) {
    this.#options = options
    this.#namesake = new NamesakeWatch(options)
    this.#orders = new OrderComparison(options, this.#namesake)
    this.#trades = new TradeComparison(options, this.#namesake)
    const { futures } = options
    this.#futures = futures && new FuturesComparison({ ...options, ...futures }, this.#trades)
    // The balances of a margin account cannot be read.
    const hasBalances = options.instruments.values().some(isCompared)
    this.#balances = hasBalances ? new BalanceComparison(options, this.#trades) : undefined
    this.#comparisons = [this.#balances, this.#futures].filter(one => one !== undefined)
  }

  /** Contracts on the account beyond the books, as of the latest look that was believed. */
  get foreign(): readonly AccountPosition[] {
    return this.#futures?.foreign ?? []
  }

  /** Positions of the account that differ from the books, as of the latest look that was believed. */
  get differing(): readonly AccountPosition[] {
    return this.#futures?.differing ?? []
  }

  /** See `ExecutionOptions.sellableOf`; as of the latest look. */
  sellableOf(symbol: string): Amount | undefined {
    return this.#balances?.sellableOf(symbol)
  }

  /** Coins of positions that are to be sold and that open orders of others lock; as of the latest look. */
  get lockedCoins(): readonly LockedCoins[] {
    return this.#balances?.lockedCoins ?? []
  }

  /** Marks the trades up to now as included in the balances of a fresh ledger. */
  async begin(): Promise<void> {
    await this.#trades.begin()
  }

  /**
   * Looks at everything once. `agreed`: ledger and exchange are equal; `later`: requests are pending, fills
   * were booked during the read, or an order has executed what is not listed yet, so no verdict is possible; `suspected`: they differ, and a later look will
   * act on it. Rejects with the error of a call that failed.
   */
  async look(): Promise<Agreement> {
    const { tracker, ledger } = this.#options
    await tracker.reconcile()
    await this.#orders.look()
    await this.#namesake.look()
    await this.#futures?.book()
    const before = ledger.changes
    for (const comparison of this.#comparisons) await comparison.read()
    // Trades are read last: trades before the read of a balance must be booked before its comparison.
    const isComplete = await this.#trades.look()
    if (ledger.changes !== before) return 'later'
    if (!isComplete || tracker.orders.hasUnlisted) {
      this.#balances?.noteSellable()
      return 'later'
    }
    const outcomes = this.#comparisons.map(comparison => comparison.compare())
    if (outcomes.includes('suspected')) return 'suspected'
    this.#trades.forgetOthers()
    return 'agreed'
  }
}

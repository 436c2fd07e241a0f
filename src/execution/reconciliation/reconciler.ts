import { BalanceComparison, isCompared } from './balance-comparison.ts'
import { FuturesComparison } from './futures-comparison.ts'
import { NamesakeWatch } from './namesake-watch.ts'
import { OrderComparison } from './order-comparison.ts'
import type { ReconcilerOptions } from './reconciler-options.ts'
import { TradeComparison } from './trade-comparison.ts'

/** How a look ended. */
export type Agreement = 'agreed' | 'later' | 'suspected'

/** Something that is read, and then compared at a moment at which nothing has happened since. */
interface Comparison {
  read(): Promise<void>
  compare(): 'agreed' | 'suspected'
}

/**
 * Compares what the exchange has of our accounts with the ledger: orders, own trades, balances, positions. What is ours and
 * was missed is booked; what is not ours is reported; a difference that nobody can explain halts its instrument. A second
 * look changes nothing.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions
  readonly #namesake: NamesakeWatch
  readonly #orders: OrderComparison
  readonly #trades: TradeComparison
  readonly #futures: FuturesComparison | undefined
  readonly #comparisons: readonly Comparison[]

  constructor(options: ReconcilerOptions) {
    this.#options = options
    this.#namesake = new NamesakeWatch(options)
    this.#orders = new OrderComparison(options, this.#namesake)
    this.#trades = new TradeComparison(options, this.#namesake)
    const { futures } = options
    this.#futures = futures && new FuturesComparison({ ...options, ...futures }, this.#trades)
    // Of a margin account there are no balances to compare.
    const hasBalances = options.instruments.values().some(isCompared)
    this.#comparisons = [
      ...(hasBalances ? [new BalanceComparison(options, this.#trades)] : []),
      ...(this.#futures === undefined ? [] : [this.#futures]),
    ]
  }

  /** Where a fresh ledger begins: the trades up to now are in its balances already. */
  async begin(): Promise<void> {
    await this.#trades.begin()
  }

  /**
   * Looks at everything once. `agreed`: ledger and exchange say the same; `later`: something is on its way, so that nobody
   * can say yet; `suspected`: they differ, which the next look will act on. Rejects with the error of a call that failed.
   */
  async look(): Promise<Agreement> {
    const { tracker, eventCount } = this.#options
    await tracker.reconcile()
    await this.#orders.look()
    await this.#namesake.look()
    await this.#futures?.book()
    const before = eventCount()
    for (const comparison of this.#comparisons) await comparison.read()
    // Trades are read last: what traded before a balance was read must be booked before it is compared.
    if (!(await this.#trades.look()) || eventCount() !== before) return 'later'
    const outcomes = this.#comparisons.map(comparison => comparison.compare())
    if (outcomes.includes('suspected')) return 'suspected'
    this.#trades.forgetOthers()
    return 'agreed'
  }
}

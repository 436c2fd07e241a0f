import type { EngineEvent } from '../../domain/events/engine-event.ts'
import type { Instrument } from '../../domain/instrument.ts'
import type { AccountClient } from '../../exchange/account/account-client.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { Dispatch, Dispatches, TradesSeen, TransactionsSeen } from '../dispatches.ts'
import type { TradingCalls } from '../gateway/trading-calls.ts'
import { NamesakeWatch } from '../namesake-watch.ts'
import type { OrderTracker } from '../tracking/order-tracker.ts'
import type { UnbookableError } from '../tracking/unbookable-error.ts'
import { BalanceComparison } from './balance-comparison.ts'
import type { FuturesReads, HeldContract } from './futures-account.ts'
import { FuturesComparison } from './futures-comparison.ts'
import type { MarginRules } from './margin-takeover.ts'
import { OrderComparison } from './order-comparison.ts'
import type { ReconciliationReport } from './reconciliation-report.ts'
import { TradeComparison } from './trade-comparison.ts'

/** What is done about open orders of others, people or programs: nothing, or cancel them. */
export type ForeignOrders = 'leave' | 'cancel'

/** What is compared, and who is told. */
export interface ReconcilerOptions {
  readonly trading: TradingCalls
  /** The spot account; only asked where something is traded on it. */
  readonly account: Pick<AccountClient, 'balances'>
  /** The futures account, and the contracts by symbol, where there are some. */
  readonly futures?: { readonly reads: FuturesReads; readonly contracts: readonly HeldContract[] } | undefined
  readonly instruments: ReadonlyMap<string, Instrument>
  /** What the clientOrderIds of our own orders begin with, in any session. */
  readonly ownPrefixes: readonly string[]
  /** When this session began, ms UTC by the exchange's clock; part of the clientOrderIds of its orders. */
  readonly startedAt?: number | undefined
  /** The other part of them that tells this session from others; see `SessionIdentity`. */
  readonly tag?: string | undefined
  /** So long after a request can no longer be accepted, nothing of it turns up any more, ms. */
  readonly settlementMarginMs: number
  readonly foreignOrders: ForeignOrders
  /** Where something is traded on a margin account. */
  readonly margin?: MarginRules | undefined
  readonly ledger: Ledger
  readonly dispatches: Dispatches
  readonly tracker: OrderTracker
  readonly serverNow: () => number
  /** Grows with every event of an order. */
  readonly eventCount: () => number
  readonly emit: (event: EngineEvent) => void
  /** Notes that a request leaves; the returned function makes the note durable, right before the first byte. */
  readonly onDeparture: (dispatch: Dispatch) => (() => void) | undefined
  /** Notes for good which own trades were seen. */
  readonly onTradesSeen: (seen: TradesSeen) => void
  /** Notes for good what of the futures account's transactions was seen. */
  readonly onTransactionsSeen: (seen: TransactionsSeen) => void
  /** What the exchange has of an instrument is not what the books have; it is looked at again. */
  readonly onDoubt: (symbol: string) => void
  readonly onReport: (report: ReconciliationReport) => void
  /** A trade of an instrument is finer than we count; nothing of it can be booked from there on. */
  readonly onUnbookable: (error: UnbookableError) => void
}

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
    const hasSpot = [...options.instruments.values()].some(one => one.accountType === 'spot')
    this.#comparisons = [
      ...(hasSpot ? [new BalanceComparison(options, this.#trades)] : []),
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

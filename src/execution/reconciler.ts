import type { EngineEvent } from '../domain/engine-event.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { AccountClient } from '../exchange/account/account-client.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { BalanceComparison } from './balance-comparison.ts'
import type { Dispatch, Dispatches, TradesSeen } from './dispatches.ts'
import { OrderComparison } from './order-comparison.ts'
import type { OrderTracker } from './order-tracker.ts'
import type { ReconciliationReport } from './reconciliation-report.ts'
import { TradeComparison } from './trade-comparison.ts'
import type { TradingCalls } from './trading-calls.ts'

/** What is done about open orders of others, people or programs: nothing, or cancel them. */
export type ForeignOrders = 'leave' | 'cancel'

/** What is compared, and who is told. */
export interface ReconcilerOptions {
  readonly spot: TradingCalls
  readonly account: Pick<AccountClient, 'balances'>
  readonly instruments: ReadonlyMap<string, Instrument>
  /** What the clientOrderIds of our own orders begin with. */
  readonly ownPrefixes: readonly string[]
  readonly foreignOrders: ForeignOrders
  readonly ledger: Ledger
  readonly dispatches: Dispatches
  readonly tracker: OrderTracker
  readonly serverNow: () => number
  /** Grows with every event of an order. */
  readonly eventCount: () => number
  readonly emit: (event: EngineEvent) => void
  /** Notes for good that a request leaves. */
  readonly onDeparture: (dispatch: Dispatch) => void
  /** Notes for good which own trades were seen. */
  readonly onTradesSeen: (seen: TradesSeen) => void
  readonly onReport: (report: ReconciliationReport) => void
}

/**
 * Compares what the exchange has of our account with the ledger: orders, own trades, balances. What is ours and was missed
 * is booked; what is not ours is reported; a difference that nobody can explain halts its instrument. A second look
 * changes nothing.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions
  readonly #orders: OrderComparison
  readonly #trades: TradeComparison
  readonly #balances: BalanceComparison

  constructor(options: ReconcilerOptions) {
    this.#options = options
    this.#orders = new OrderComparison(options)
    this.#trades = new TradeComparison(options)
    this.#balances = new BalanceComparison(options, this.#trades)
  }

  /** Where a fresh ledger begins: the trades up to now are in its balances already. */
  begin(): Promise<void> {
    return this.#trades.begin()
  }

  /**
   * Looks at everything once. `agreed`: ledger and exchange say the same; `later`: something is on its way, so that nobody
   * can say yet; `suspected`: they differ, which the next look will act on. Rejects with the error of a call that failed.
   */
  async look(): Promise<'agreed' | 'later' | 'suspected'> {
    await this.#options.tracker.reconcile()
    await this.#orders.look()
    if (!(await this.#trades.look())) return 'later'
    return await this.#balances.look()
  }
}

import { decidedAtOf, isOfSession } from '../../domain/orders/client-order-id.ts'
import { SluiceError } from '../../domain/sluice-error.ts'
import { isOrderNotFound } from '../../exchange/errors/exchange-error.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import type { SpotOrder } from '../../exchange/spot/spot-order.ts'
import type { ReconcilerOptions } from './reconciler-options.ts'

/** Largest number of unexplained orders to query for their ids: one a look, the latest first. */
const MOST_SUSPECTS = 20

/**
 * Finds another process that trades the account under the name of this bot: an order with the ids of this
 * bot, but of another session, that was decided after this session began. Orders of an earlier session
 * without a journal are older. The orders of the other process are never touched.
 */
export class NamesakeWatch {
  readonly #options: ReconcilerOptions
  readonly #suspects = new Map<string, OwnTrade>()

  constructor(options: ReconcilerOptions) {
    this.#options = options
  }

  /** True if an order has this bot's name, of any session. */
  isOwnName({ clientOrderId }: SpotOrder): boolean {
    return this.#options.ownPrefixes.some(prefix => clientOrderId?.startsWith(prefix))
  }

  /** True if another process placed an order under the name of this bot while it ran. */
  isNamesake(order: SpotOrder): boolean {
    const { startedAt, tag, settlementMarginMs } = this.#options
    const { clientOrderId, time } = order
    if (startedAt === undefined || clientOrderId === undefined || !this.isOwnName(order)) return false
    if (isOfSession(clientOrderId, { startedAt, tag }) || time <= startedAt) return false
    // A request of an earlier session may arrive late, but its decision is older.
    return decidedAtOf(clientOrderId) >= startedAt || time > startedAt + settlementMarginMs
  }

  /** Adds a trade of an order that is absent from the ledger. */
  suspect(trade: OwnTrade): void {
    this.#suspects.set(trade.orderId, trade)
    for (const orderId of this.#suspects.keys())
      if (this.#suspects.size > MOST_SUSPECTS) this.#suspects.delete(orderId)
  }

  /** Queries the order of the latest suspect trade; rejects with the error of a call that failed. */
  async look(): Promise<void> {
    const { trading, startedAt, onReport } = this.#options
    const trade = [...this.#suspects.values()].at(-1)
    if (trade === undefined) return
    this.#suspects.delete(trade.orderId)
    if (startedAt === undefined || trade.time <= startedAt) return
    try {
      const order = await trading.order({ symbol: trade.symbol, orderId: trade.orderId })
      if (this.isNamesake(order)) onReport({ type: 'namesakeOrder', order })
    } catch (error) {
      if (isOrderNotFound(error)) return
      // Queried again at the next look if the failure was temporary.
      if (error instanceof SluiceError && error.reaction === 'retry') this.#suspects.set(trade.orderId, trade)
      throw error
    }
  }
}

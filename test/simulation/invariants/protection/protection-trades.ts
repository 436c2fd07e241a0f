import { listedName } from '../../../../src/domain/account-symbol.ts'
import { priceOf } from '../../../../src/domain/numbers/grid.ts'
import type { Order } from '../../../../src/domain/orders/order.ts'
import type { Ledger } from '../../../../src/ledger/ledger.ts'
import type { Violation } from '../scene.ts'

/** So long may the price have come of an order that waits for it, ms: some looks at the market, and what makes way for it. */
const PATIENCE_MS = 25_000

/** A protective order whose price has come is sent: somebody watches it. To be asked again and again while nothing goes wrong. */
export class ProtectionTrades {
  /** When each order's price was first seen to have come, ms UTC. */
  #since = new Map<string, number>()

  /** What is wrong at a time, ms UTC; `lastPrices` by what the exchange calls a symbol, quote per base. */
  look(ledger: Ledger, lastPrices: ReadonlyMap<string, number>, now: number): readonly Violation[] {
    const reached = ledger.orders.working.filter(order => isReached(ledger, order, lastPrices))
    this.#since = new Map(
      reached.map(({ request: { clientOrderId } }) => [clientOrderId, this.#since.get(clientOrderId) ?? now]),
    )
    return [...this.#since]
      .filter(([, since]) => now - since > PATIENCE_MS)
      .map(([about]) => ({ problem: `the price of ${about} has come, but nobody sends it`, about }))
  }
}

function isReached(
  ledger: Ledger,
  { request, filledQuantity }: Order,
  lastPrices: ReadonlyMap<string, number>,
): boolean {
  const { symbol, spec, side, protects } = request
  const last = lastPrices.get(listedName(symbol))
  if (protects === undefined || last === undefined || spec.type !== 'stop' || filledQuantity > 0) return false
  const stopPrice = priceOf(ledger.instrument(symbol), spec.stopPrice)
  return side === 'sell' ? last <= stopPrice : last >= stopPrice
}

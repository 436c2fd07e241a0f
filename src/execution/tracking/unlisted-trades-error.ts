import { quantityText, type Steps } from '../../domain/numbers/grid.ts'
import { SluiceError } from '../../domain/sluice-error.ts'
import type { TrackedOrder } from './tracked-order.ts'

/** An order has executed at the exchange, which does not list the trades: without them, nothing can be booked. */
export class UnlistedTradesError extends SluiceError {
  /** `orderId`: the exchange's id of the order; `executed`: what it has filled by its latest answer. */
  constructor({ request, instrument, booked }: TrackedOrder, orderId: string, executed: Steps) {
    const { symbol, side, reduceOnly, clientOrderId } = request
    const [all, listed] = [executed, booked].map(quantity => quantityText(instrument, quantity))
    const what = reduceOnly
      ? 'the position counts as open until then'
      : 'the books do not have what it opened until then, and NO STOP PROTECTS IT'
    super(
      `The ${side} order ${clientOrderId} of ${symbol} (${orderId} at the exchange) has executed ${all}, but the exchange lists trades of only ${listed}: ${what}. They are asked for again and again. If it lasts, look at the account, and close there by hand what you do not want to wait for.`,
      { code: 'UNLISTED_TRADES', reaction: 'skip' },
    )
  }
}

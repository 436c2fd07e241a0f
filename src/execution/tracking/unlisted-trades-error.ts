import { quantityUnit } from '../../domain/instrument.ts'
import { quantityText } from '../../domain/numbers/grid.ts'
import { SluiceError } from '../../domain/sluice-error.ts'
import type { TrackedOrder, UnlistedExecution } from './tracked-order.ts'

/** An order that has executed at the exchange, which does not list all trades of it. */
export interface UnlistedOrder
  extends Pick<TrackedOrder, 'request' | 'instrument' | 'booked' | 'exchangeOrderId'> {
  readonly unlisted: UnlistedExecution
}

/** An order has executed at the exchange, which does not list the trades: without them, nothing can be booked. */
export class UnlistedTradesError extends SluiceError {
  constructor(order: UnlistedOrder) {
    super(unlistedSentence(order), { code: 'UNLISTED_TRADES', reaction: 'skip' })
  }
}

/** What an order has executed, what of that is listed, and what that means, in whole sentences. */
export function unlistedSentence(order: UnlistedOrder): string {
  const { request, exchangeOrderId } = order
  const { symbol, side, reduceOnly, clientOrderId } = request
  const { executed, listed } = executionTexts(order)
  const what = reduceOnly
    ? 'the position counts as open until then'
    : 'the books do not have what it opened until then, and NO STOP PROTECTS IT'
  return `The ${side} order ${clientOrderId} of ${symbol} (${exchangeOrderId} at the exchange) has executed ${executed}, but the exchange lists trades of only ${listed}: ${what}. The bot asks for them again at every look at its orders (execution.pollOrdersMs). If it lasts, look at the account, and close there by hand what you do not want to wait for.`
}

/** What an order has executed, such as `50 of 50 contracts`, and what of that the exchange lists, `20`. */
export function executionTexts({ request, instrument, booked, unlisted }: UnlistedOrder): {
  readonly executed: string
  readonly listed: string
} {
  const [executed, all, listed] = [unlisted.executed, request.quantity, booked].map(quantity =>
    quantityText(instrument, quantity),
  )
  return { executed: `${executed} of ${all} ${quantityUnit(instrument)}`, listed: `${listed}` }
}

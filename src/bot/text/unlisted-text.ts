import { bookOf } from '../../domain/book-names.ts'
import { NO_STEPS, type Steps, steps } from '../../domain/numbers/grid.ts'
import { wholeId } from '../../domain/orders/order-parts.ts'
import type { UnlistedOrder } from '../../execution/tracking/unlisted-trades-error.ts'
import { stepsText } from './steps-text.ts'

/** Executed quantities of orders that no listed trade shows yet, by the clientOrderId of the whole order, in steps. */
export function unlistedByOrder(unlisted: readonly UnlistedOrder[]): ReadonlyMap<string, Steps> {
  return summed(unlisted, ({ request }) => wholeId(request.clientOrderId))
}

/** Executed quantities of exits that no listed trade shows yet, by book, in steps. */
export function unlistedExits(unlisted: readonly UnlistedOrder[]): ReadonlyMap<string, Steps> {
  return summed(
    unlisted.filter(({ request }) => request.reduceOnly),
    ({ request }) => bookOf(request),
  )
}

/** Such as `buy 20 contracts of BTC/USDT (ID, ID of the exchange)`, of what is executed and not listed. */
export function unlistedText(order: UnlistedOrder): string {
  const { request, instrument, exchangeOrderId } = order
  const { side, symbol, clientOrderId } = request
  return `${side} ${stepsText(instrument, notListed(order))} of ${symbol} (${clientOrderId}, ${exchangeOrderId})`
}

function notListed({ booked, unlisted }: UnlistedOrder): Steps {
  return steps(unlisted.executed - booked)
}

function summed(
  unlisted: readonly UnlistedOrder[],
  keyOf: (order: UnlistedOrder) => string,
): ReadonlyMap<string, Steps> {
  const sums = new Map<string, Steps>()
  for (const order of unlisted) {
    const key = keyOf(order)
    sums.set(key, steps((sums.get(key) ?? NO_STEPS) + notListed(order)))
  }
  return sums
}

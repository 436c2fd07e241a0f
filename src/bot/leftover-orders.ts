import { clientOrderIdPrefix } from '../domain/client-order-id.ts'
import type { SpotClient } from '../exchange/spot-client.ts'
import type { SpotOrder } from '../exchange/spot-order.ts'
import { endsTheBot } from './ends-the-bot.ts'

/** Which orders count as our own. */
export interface OwnOrders {
  readonly bot: string
  readonly strategy: string
  readonly symbol: string
  /** Names of books that the strategy may have had. */
  readonly books: readonly string[]
}

/**
 * Cancels what an earlier run of the same strategy left open, and returns it; orders of anybody else stay alone. An
 * order that ended in the meantime, or whose cancel got no answer, is returned all the same: it is named in the log.
 */
export async function cancelLeftovers(spot: SpotClient, own: OwnOrders): Promise<readonly SpotOrder[]> {
  const { bot, strategy, symbol } = own
  const prefixes = own.books.map(book => clientOrderIdPrefix({ bot, strategy, book }))
  const open = await spot.openOrders({ symbol, limit: 1000 })
  const leftovers = open.filter(({ clientOrderId }) =>
    prefixes.some(prefix => clientOrderId?.startsWith(prefix)),
  )
  for (const { orderId } of leftovers) await cancelIfStillThere(spot, symbol, orderId)
  return leftovers
}

async function cancelIfStillThere(spot: SpotClient, symbol: string, orderId: string): Promise<void> {
  try {
    await spot.cancelOrder({ symbol, orderId })
  } catch (error) {
    if (endsTheBot(error)) throw error
  }
}

import type { ForeignOrders } from '../../../src/execution/reconciler.ts'
import type { ExchangeOrder } from './exchange-order.ts'
import { openOrders, ordersOfPairs, type Scene, type Violation } from './scene.ts'

/**
 * Before somebody else takes anything back: where the bot is to cancel the orders of others, none rests any more after some
 * time in peace; where it is to leave them alone, none of a pair that would rest was canceled.
 */
export function othersOrdersAsAsked(
  scene: Pick<Scene, 'user' | 'futures' | 'instruments' | 'othersPrefix'>,
  asked: ForeignOrders,
): readonly Violation[] {
  const symbols = scene.instruments.map(({ symbol }) => symbol)
  const wrong =
    asked === 'cancel'
      ? openOrders(scene).filter(({ symbol }) => symbols.includes(symbol))
      : ordersOfPairs(scene).filter(({ type, status }) => type === 'LIMIT' && status === 'CANCELED')
  return wrong
    .filter(order => isOfOthers(order, scene.othersPrefix))
    .map(({ id, symbol, status }) => ({
      problem: `order ${id} of somebody else is ${status}, but the bot is to ${asked} it`,
      about: symbol,
    }))
}

function isOfOthers({ clientOrderId }: ExchangeOrder, prefix: string): boolean {
  return clientOrderId === undefined || clientOrderId.startsWith(prefix)
}

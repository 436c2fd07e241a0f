import { oldestFirst } from '../wire/oldest-first.ts'
import type { OwnTrade } from './own-trade.ts'
import type { SpotOrder } from './spot-order.ts'
import { asSymbol, type SymbolNames } from './symbol-names.ts'

/** Orders, oldest first, under the requested symbol; for a request of all symbols, each under its own. */
export async function listedOrders(
  orders: readonly SpotOrder[],
  symbol: string | undefined,
  names: SymbolNames,
): Promise<readonly SpotOrder[]> {
  const named = symbol === undefined ? await names.named(orders) : asSymbol(orders, symbol)
  return oldestFirst(named, ({ time, orderId }) => ({ time, id: orderId }))
}

/** Own trades, oldest first, with symbols as in `listedOrders`. */
export async function listedTrades(
  trades: readonly OwnTrade[],
  symbol: string | undefined,
  names: SymbolNames,
): Promise<readonly OwnTrade[]> {
  const named = symbol === undefined ? await names.named(trades) : asSymbol(trades, symbol)
  return oldestFirst(named, ({ time, id }) => ({ time, id }))
}

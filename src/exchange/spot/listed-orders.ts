import { oldestFirst } from './oldest-first.ts'
import type { OwnTrade } from './own-trade.ts'
import type { SpotOrder } from './spot-order.ts'
import { asSymbol, type SymbolNames } from './symbol-names.ts'

/** A list of orders, oldest first, under the symbol asked for; where that was all symbols, each under its own. */
export async function listedOrders(
  orders: readonly SpotOrder[],
  symbol: string | undefined,
  names: SymbolNames,
): Promise<readonly SpotOrder[]> {
  const named = symbol === undefined ? await names.named(orders) : asSymbol(orders, symbol)
  return oldestFirst(named, ({ time, orderId }) => ({ time, id: orderId }))
}

/** A list of own trades, oldest first, named as `listedOrders` does. */
export async function listedTrades(
  trades: readonly OwnTrade[],
  symbol: string | undefined,
  names: SymbolNames,
): Promise<readonly OwnTrade[]> {
  const named = symbol === undefined ? await names.named(trades) : asSymbol(trades, symbol)
  return oldestFirst(named, ({ time, id }) => ({ time, id }))
}

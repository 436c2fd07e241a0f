import { amountOf } from '../domain/amount.ts'
import type { Decimal } from '../domain/decimal.ts'
import type { Fill } from '../domain/fill.ts'
import { stepsOf, ticksOf } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { OrderRequest } from '../domain/order-request.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { OwnTrade } from '../exchange/own-trade.ts'

/**
 * A trade as a fill of the order that it belongs to. Throws `UsageError` for one that is finer than the grid of its
 * instrument: the exchange counts in other decimals since, and whatever were booked of it would be wrong.
 */
export function fillOf(
  { request, instrument }: { readonly request: OrderRequest; readonly instrument: Instrument },
  trade: OwnTrade,
): Fill {
  const { pricePrecision, quantityPrecision } = instrument
  requireOnGrid(trade, 'price', trade.price, pricePrecision)
  requireOnGrid(trade, 'quantity', trade.quantity, quantityPrecision)
  return {
    id: trade.id,
    clientOrderId: request.clientOrderId,
    symbol: request.symbol,
    side: trade.side,
    price: ticksOf(instrument, trade.price),
    quantity: stepsOf(instrument, trade.quantity),
    fee: amountOf(trade.fee),
    feeAsset: trade.feeAsset,
    liquidity: trade.liquidity,
    time: trade.time,
  }
}

function requireOnGrid({ id, symbol }: OwnTrade, what: string, value: Decimal, decimals: number): void {
  if (value.decimalPlaces() <= decimals) return
  throw new UsageError(
    `The exchange traded at a ${what} of ${value} (trade ${id} of ${symbol}), but the bot counts it in ${decimals} decimals, so that it cannot be booked. Cancel and close by hand what is open of ${symbol} at the exchange, then start again with a new journal.`,
  )
}

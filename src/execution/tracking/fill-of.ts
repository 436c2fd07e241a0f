import type { Instrument } from '../../domain/instrument.ts'
import { amountAtExchange } from '../../domain/numbers/amount.ts'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { type Steps, stepsOf, ticksOf } from '../../domain/numbers/grid.ts'
import type { Fill } from '../../domain/orders/fill.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import type { OwnTrade } from '../../exchange/spot/own-trade.ts'
import type { SpotOrder } from '../../exchange/spot/spot-order.ts'
import { UnbookableError } from './unbookable-error.ts'

/**
 * A trade as a fill of its order. Throws `UnbookableError` for one finer than the grid of its instrument: the
 * exchange has changed its decimals, so a booking would be wrong.
 */
export function fillOf(
  { request, instrument }: { readonly request: OrderRequest; readonly instrument: Instrument },
  trade: OwnTrade,
): Fill {
  const { pricePrecision, quantityPrecision } = instrument
  const of = `(trade ${trade.id} of ${request.symbol})`
  requireOnGrid(
    request.symbol,
    `The exchange traded at a price of ${trade.price} ${of}`,
    trade.price,
    pricePrecision,
  )
  requireOnGrid(
    request.symbol,
    `The exchange traded a quantity of ${trade.quantity} ${of}`,
    trade.quantity,
    quantityPrecision,
  )
  return {
    id: trade.id,
    clientOrderId: request.clientOrderId,
    symbol: request.symbol,
    side: trade.side,
    price: ticksOf(instrument, trade.price),
    quantity: stepsOf(instrument, trade.quantity),
    fee: amountAtExchange(trade.fee),
    feeAsset: trade.feeAsset,
    liquidity: trade.liquidity,
    time: trade.time,
  }
}

/** Executed steps of an order at the exchange; throws `UnbookableError` as `fillOf` does. */
export function executedSteps(
  { request: { symbol }, instrument }: { readonly request: OrderRequest; readonly instrument: Instrument },
  { orderId, executedQuantity }: SpotOrder,
): Steps {
  const what = `The exchange executed ${executedQuantity} of order ${orderId} of ${symbol}`
  requireOnGrid(symbol, what, executedQuantity, instrument.quantityPrecision)
  return stepsOf(instrument, executedQuantity)
}

function requireOnGrid(symbol: string, what: string, value: Decimal, decimals: number): void {
  if (value.decimalPlaces() > decimals) throw new UnbookableError(symbol, what, decimals)
}

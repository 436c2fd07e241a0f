import { amountOf } from '../domain/amount.ts'
import type { Fill } from '../domain/fill.ts'
import { stepsOf, ticksOf } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { OrderRequest } from '../domain/order-request.ts'
import type { OwnTrade } from '../exchange/own-trade.ts'

/** A trade as a fill of the order that it belongs to. */
export function fillOf(
  { request, instrument }: { readonly request: OrderRequest; readonly instrument: Instrument },
  trade: OwnTrade,
): Fill {
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

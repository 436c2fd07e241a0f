import { type Amount, add, times, ZERO } from '../domain/amount.ts'
import { baseAmount, notionalOf, type Steps, type Ticks } from '../domain/grid.ts'
import type { Instrument } from '../domain/instrument.ts'
import { type Order, openQuantityOf } from '../domain/order.ts'
import type { OrderDraft, OrderSpec } from '../domain/order-request.ts'
import { orderMargin } from './contract-margin.ts'

/** What a working order may still take of an asset. Protective and reducing sells take what the position itself holds, hence nothing. */
export function reservedBy(instrument: Instrument, order: Order, asset: string): Amount {
  return order.request.reduceOnly ? ZERO : costOf(instrument, order.request, openQuantityOf(order), asset)
}

/**
 * What `quantity` of an order may take of an asset: price × quantity plus a taker fee for a buy, the base for a sell; for
 * contracts either way their initial margin and the largest fee.
 */
export function costOf(
  instrument: Instrument,
  draft: Pick<OrderDraft, 'side' | 'spec' | 'referencePrice'>,
  quantity: Steps,
  asset: string,
): Amount {
  if (instrument.futures !== undefined) {
    if (asset !== instrument.quote) return ZERO
    const price = expectedPrice(draft.spec, draft.referencePrice)
    return orderMargin(instrument, notionalOf(instrument, price, quantity))
  }
  if (draft.side === 'sell') return asset === instrument.base ? baseAmount(instrument, quantity) : ZERO
  if (asset !== instrument.quote) return ZERO
  const notional = notionalOf(instrument, expectedPrice(draft.spec, draft.referencePrice), quantity)
  return instrument.fees.paidIn === 'quote' ? add(notional, times(notional, instrument.fees.taker)) : notional
}

/** The price an order is expected to trade at: its own, or the latest one for a market order. */
export function expectedPrice(spec: OrderSpec, referencePrice: Ticks): Ticks {
  switch (spec.type) {
    case 'limit':
    case 'stopLimit':
      return spec.price
    case 'stop':
      return spec.stopPrice
    case 'ifTouched':
      return spec.triggerPrice
    case 'market':
    case 'trailingStop':
      return referencePrice
  }
}

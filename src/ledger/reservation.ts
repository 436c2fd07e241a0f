import { rulesOf } from '../domain/account-rules.ts'
import type { Instrument } from '../domain/instrument.ts'
import { marketCap } from '../domain/market-data/market-cap.ts'
import { type Amount, add, times, ZERO } from '../domain/numbers/amount.ts'
import { baseAmount, notionalOf, type Steps, type Ticks } from '../domain/numbers/grid.ts'
import { type Order, openQuantityOf } from '../domain/orders/order.ts'
import type { OrderDraft, OrderSpec } from '../domain/orders/order-request.ts'
import { orderMargin } from './contract-margin.ts'

/** What a working order may still take of an asset. Protective and reducing sells take what the position itself holds, hence nothing. */
export function reservedBy(instrument: Instrument, order: Order, asset: string): Amount {
  return order.request.reduceOnly ? ZERO : costOf(instrument, order.request, openQuantityOf(order), asset)
}

/** Fields of an order that decide what it takes. */
type CostedDraft = Pick<OrderDraft, 'side' | 'spec' | 'referencePrice' | 'reduceOnly'>

/**
 * What `quantity` of an order may take of an asset: price × quantity plus a taker fee for a buy, the base for a sell; for
 * contracts either way their initial margin and the largest fee. The price is the one that the exchange freezes money for.
 */
export function costOf(instrument: Instrument, draft: CostedDraft, quantity: Steps, asset: string): Amount {
  if (rulesOf(instrument).holdsContracts) {
    if (asset !== instrument.quote) return ZERO
    const price = frozenPrice(instrument, draft)
    return orderMargin(instrument, notionalOf(instrument, price, quantity))
  }
  if (draft.side === 'sell') return asset === instrument.base ? baseAmount(instrument, quantity) : ZERO
  if (asset !== instrument.quote) return ZERO
  const notional = notionalOf(instrument, frozenPrice(instrument, draft), quantity)
  return instrument.fees.paidIn === 'quote' ? add(notional, times(notional, instrument.fees.taker)) : notional
}

/**
 * The price that the exchange freezes money for. A market entry of a running bot is sent as a limit order beyond the expected
 * price, so that it freezes more than it is expected to cost. A short of contracts freezes as much as a long: it trades at the
 * best bid, which may have risen since the decision.
 */
function frozenPrice(instrument: Instrument, draft: CostedDraft): Ticks {
  const expected = expectedPrice(draft.spec, draft.referencePrice)
  return isCapped(instrument, draft)
    ? marketCap(instrument, expected, 'buy', instrument.maxSlippageRate)
    : expected
}

/** Whether money for an order is frozen at a higher price than the one that it is expected to trade at. */
export function isCapped(
  instrument: Instrument,
  { spec, reduceOnly }: Pick<CostedDraft, 'spec' | 'reduceOnly'>,
): instrument is Instrument & { readonly maxSlippageRate: number } {
  return instrument.maxSlippageRate !== undefined && !reduceOnly && tradesAtMarket(spec)
}

/** Whether an order trades at market, at once or after its trigger. */
function tradesAtMarket({ type }: OrderSpec): boolean {
  return type !== 'limit' && type !== 'stopLimit'
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

import { rulesOf } from '../domain/account-rules.ts'
import type { Instrument } from '../domain/instrument.ts'
import { marketCap } from '../domain/market-data/market-cap.ts'
import { type Amount, add, times, ZERO } from '../domain/numbers/amount.ts'
import { baseAmount, notionalOf, type Steps, type Ticks } from '../domain/numbers/grid.ts'
import { type Order, openQuantityOf } from '../domain/orders/order.ts'
import type { OrderDraft, OrderSpec } from '../domain/orders/order-request.ts'
import { orderMargin } from './contract-margin.ts'

/**
 * Amount of an asset still reserved by a working order. Protective and reducing sells use the position
 * itself, hence zero.
 */
export function reservedBy(instrument: Instrument, order: Order, asset: string): Amount {
  return order.request.reduceOnly ? ZERO : costOf(instrument, order.request, openQuantityOf(order), asset)
}

/** Fields of an order that decide its reserve. */
type CostedDraft = Pick<OrderDraft, 'side' | 'spec' | 'referencePrice' | 'reduceOnly'>

/**
 * Largest amount of an asset that `quantity` of an order may use: price × quantity plus a taker fee for a
 * buy, the base for a sell; for contracts the initial margin and the largest fee on either side. The price is
 * the one at which the exchange freezes money.
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

/** True if the exchange freezes money for an order at a worse price than the expected one. */
export function isCapped(
  instrument: Instrument,
  { spec, reduceOnly }: Pick<CostedDraft, 'spec' | 'reduceOnly'>,
): instrument is Instrument & { readonly maxSlippageRate: number } {
  return instrument.maxSlippageRate !== undefined && !reduceOnly && tradesAtMarket(spec)
}

/** True if an order trades at market, at once or after its trigger. */
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

import { rulesOf } from '../../domain/account-rules.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { marketCap } from '../../domain/market-data/market-cap.ts'
import { priceText, quantityText, type Ticks, ticks } from '../../domain/numbers/grid.ts'
import {
  type LimitKind,
  type OrderRequest,
  type OrderSpec,
  triggerOf,
} from '../../domain/orders/order-request.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import type { OrderPlacement } from '../../exchange/spot/order-placement.ts'
import type { SentOrder } from '../sent-requests.ts'
import type { ClosePlacement } from './trading-calls.ts'

/**
 * A request in the exchange's terms. The interface's market buy takes an amount of quote, which leaves the
 * quantity to the market; a market buy is therefore sent as an IOC limit order at most `maxSlippageRate`
 * above the price of the decision: exact in quantity, bounded in price. So is every entry of contracts,
 * because some hosts read the volume of an opening market order as an amount of quote. Exits of contracts are
 * market orders, since a stop must fill even after a gap; a buy-back of a margin short is priced from the
 * latest price instead. Triggered stops sell at market, triggered stop-limits rest at their limit,
 * take-profits are IOC orders at their price.
 */
export function placementOf(
  instrument: Instrument,
  request: OrderRequest,
  maxSlippageRate: number,
): OrderPlacement | ClosePlacement {
  const { clientOrderId, symbol, side, spec, purpose } = request
  const common = { clientOrderId, symbol, quantity: quantityText(instrument, request.quantity) }
  if (spec.type === 'limit' || spec.type === 'stopLimit') {
    const type = purpose === 'takeProfit' ? 'ioc' : kindOf(spec)
    return { ...common, type: wireKind(instrument, type), side, price: priceText(instrument, spec.price) }
  }
  if (isExactAtMarket(instrument, request)) return { ...common, type: 'market', side }
  const reference = priceBefore(instrument, request)
  const cap = marketCap(instrument, reference, side, maxSlippageRate)
  return { ...common, type: wireKind(instrument, 'ioc'), side, price: priceText(instrument, cap) }
}

/** Expected order at the exchange after a placement. */
export function sentAs(placement: OrderPlacement | ClosePlacement): SentOrder {
  if (!('quantity' in placement)) throw new InvariantError('An order of ours counts in its own unit.')
  return {
    quantity: String(placement.quantity),
    ...('price' in placement && { price: String(placement.price) }),
  }
}

/**
 * True if the remainder that does not trade at once must be canceled by the bot: a margin account, and some
 * hosts, lack IOC orders.
 */
export function mustBeTakenBack(
  instrument: Instrument,
  request: OrderRequest,
  maxSlippageRate: number,
): boolean {
  if (rulesOf(instrument).cancelsIocRest && instrument.iocRests !== true) return false
  return placementOf({ ...instrument, iocRests: false }, request, maxSlippageRate).type === 'ioc'
}

/** The kind of a limit order as it is sent. */
function wireKind({ iocRests }: Instrument, kind: 'limit' | LimitKind): 'limit' | LimitKind {
  return kind === 'ioc' && iocRests === true ? 'limit' : kind
}

/** True if a market order trades exactly the wanted quantity. */
function isExactAtMarket(instrument: Instrument, { side, reduceOnly }: OrderRequest): boolean {
  return rulesOf(instrument).holdsContracts ? reduceOnly : side === 'sell'
}

/** Reference of a market order's price bound. */
function priceBefore(instrument: Instrument, request: OrderRequest): Ticks {
  const trigger = triggerOf(request.spec) ?? request.referencePrice
  return isBuyBack(instrument, request) ? ticks(Math.max(trigger, request.referencePrice)) : trigger
}

/** True if an order closes a margin short: it must fill, but no market order buys an exact quantity. */
export function isBuyBack(instrument: Instrument, { side, reduceOnly }: OrderRequest): boolean {
  return side === 'buy' && reduceOnly && rulesOf(instrument).owesBase
}

/** True if a sent order waits at the exchange for its price, rather than to trade at once. */
export function mayRest({ spec, purpose }: OrderRequest): boolean {
  return (
    (spec.type === 'limit' || spec.type === 'stopLimit') && purpose !== 'takeProfit' && kindOf(spec) !== 'ioc'
  )
}

function kindOf(spec: OrderSpec): 'limit' | LimitKind {
  return (spec.type === 'limit' ? spec.kind : undefined) ?? 'limit'
}

import type { Decimal } from '../../domain/numbers/decimal.ts'
import type { Side } from '../../domain/orders/side.ts'
import { type OrderKind, WIRE_SIDE, WIRE_TYPE_OF_KIND } from '../wire/order-kind.ts'

/**
 * An exact number for the wire: a decimal, or decimal text as from `priceText` and `quantityText`. Never a
 * float.
 */
export type ExactNumber = Decimal | string

interface PlacementBase {
  /** `BASE/QUOTE`. */
  readonly symbol: string
  /** Sent unchanged; the exchange does not check that it is unique. */
  readonly clientOrderId?: string
}

/** Market buy of an amount of quote. */
export interface MarketBuy extends PlacementBase {
  readonly type: 'market'
  readonly side: 'buy'
  /** Quote to spend; the exchange does not accept a base quantity here. */
  readonly quoteAmount: ExactNumber
}

/** Market sell of a quantity. */
export interface MarketSell extends PlacementBase {
  readonly type: 'market'
  readonly side: 'sell'
  /** Base units. */
  readonly quantity: ExactNumber
}

/** Order at a limit price. */
export interface LimitPlacement extends PlacementBase {
  /**
   * `limit` rests, `ioc` cancels the part that does not fill at once, `fok` fills completely or not at all,
   * `postOnly` is always maker.
   */
  readonly type: 'limit' | 'ioc' | 'fok' | 'postOnly'
  readonly side: Side
  /** Base units. */
  readonly quantity: ExactNumber
  readonly price: ExactNumber
}

/** Becomes a limit order at `price` when the market reaches `triggerPrice`. */
interface StopPlacement extends PlacementBase {
  readonly type: 'stop'
  readonly side: Side
  /** Base units. */
  readonly quantity: ExactNumber
  readonly price: ExactNumber
  readonly triggerPrice: ExactNumber
}

/** A new spot order. */
export type OrderPlacement = MarketBuy | MarketSell | LimitPlacement | StopPlacement

/** A new order for endpoints that accept LIMIT and MARKET only: the test endpoint, and margin. */
export type PlainPlacement = MarketBuy | MarketSell | (LimitPlacement & { readonly type: 'limit' })

/** Wire fields that New Order and Test New Order share. */
export function placementFields(placement: OrderPlacement) {
  return {
    symbol: placement.symbol.toUpperCase(),
    volume: volumeOf(placement),
    side: WIRE_SIDE[placement.side],
    type: WIRE_TYPE_OF_KIND[placement.type satisfies OrderKind],
    price: placement.type === 'market' ? undefined : placement.price,
    triggerPrice: placement.type === 'stop' ? placement.triggerPrice : undefined,
  }
}

/** `volume` counts quote for a market buy, base otherwise (interface section 4.2, New Order). */
function volumeOf(placement: OrderPlacement): ExactNumber {
  return placement.type === 'market' && placement.side === 'buy' ? placement.quoteAmount : placement.quantity
}

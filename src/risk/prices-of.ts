import type { Ticks } from '../domain/numbers/grid.ts'
import type { OrderSpec } from '../domain/orders/order-request.ts'

const NO_PRICES: readonly Ticks[] = []

/** The prices that an order names. A trailing stop names the one at which it starts, if any: its level moves. */
export function pricesOf(spec: OrderSpec): readonly Ticks[] {
  switch (spec.type) {
    case 'limit':
      return [spec.price]
    case 'stop':
      return [spec.stopPrice]
    case 'stopLimit':
      return [spec.stopPrice, spec.price]
    case 'ifTouched':
      return [spec.triggerPrice]
    case 'trailingStop':
      return spec.activationPrice === undefined ? NO_PRICES : [spec.activationPrice]
    case 'market':
      return NO_PRICES
  }
}

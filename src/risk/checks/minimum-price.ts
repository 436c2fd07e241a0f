import { priceText, type Ticks } from '../../domain/grid.ts'
import type { OrderSpec } from '../../domain/order-request.ts'
import type { RiskCheck } from '../risk-check.ts'

const NO_PRICES: readonly Ticks[] = []

/** Every price of an order must be positive and at least the instrument's minimum price. */
export const minimumPrice: RiskCheck = ({ spec }, { instrument }) => {
  const low = pricesOf(spec).find(price => price <= 0 || price < instrument.minPrice)
  if (low === undefined) return undefined
  const limit = `${priceText(instrument, instrument.minPrice)} ${instrument.quote}`
  const actual = `${priceText(instrument, low)} ${instrument.quote}`
  return {
    rule: 'minimumPrice',
    limit,
    actual,
    message: `The price ${actual} is below the lowest price of ${instrument.symbol}, ${limit}.`,
  }
}

function pricesOf(spec: OrderSpec): readonly Ticks[] {
  switch (spec.type) {
    case 'market':
      return NO_PRICES
    case 'limit':
      return [spec.price]
    case 'stop':
      return [spec.stopPrice]
    case 'stopLimit':
      return [spec.stopPrice, spec.price]
    case 'ifTouched':
      return [spec.triggerPrice]
    case 'trailingStop':
      return [spec.distance]
  }
}

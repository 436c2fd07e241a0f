import { priceText } from '../../domain/numbers/grid.ts'
import { pricesOf } from '../prices-of.ts'
import type { RiskCheck } from '../risk-check.ts'

/** Every price of an order, and the distance of a trailing stop, must be positive and at least the instrument's minimum price. */
export const minimumPrice: RiskCheck = ({ spec }, { instrument }) => {
  if (spec.type === 'market') return undefined
  const named = pricesOf(spec)
  const prices = 'distance' in spec ? [spec.distance, ...named] : named
  const low = prices.find(price => price <= 0 || price < instrument.minPrice)
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

import { volatility } from '../../../indicators/volatility.ts'
import { definePart, type Part } from '../part.ts'
import { annualVolatility } from './annual-volatility.ts'

/**
 * Allows entries only while the annualised volatility of the last `klines` returns (0.8 is 80%) is from `min`
 * to `max`.
 */
export function volatilityBand({
  klines,
  min = 0,
  max = Number.POSITIVE_INFINITY,
}: {
  readonly klines: number
  readonly min?: number
  readonly max?: number
}): Part {
  return definePart({
    name: 'volatilityBand',
    indicators: () => ({ volatility: volatility(klines) }),
    allows: (_direction, { view, indicators }) => {
      const annual = annualVolatility(indicators.volatility.value, view.interval)
      return annual >= min && annual <= max
    },
  })
}

import { volatility } from '../../../indicators/volatility.ts'
import { definePart, type Part } from '../part.ts'
import { annualVolatility } from './annual-volatility.ts'

/**
 * Sizes every entry so that equity would have an annual volatility of `annual` (0.2 is 20%), if the market
 * continues as in its last `klines` returns: the fraction of equity is `annual` ÷ volatility, at most `max`.
 * Skips an entry at zero volatility. R. Carver, "Systematic Trading", 2015, chapter 9.
 */
export function volatilityTarget({
  annual,
  klines,
  max = 1,
}: {
  readonly annual: number
  readonly klines: number
  /** Default: 1, all of equity. */
  readonly max?: number
}): Part {
  return definePart({
    name: 'volatilityTarget',
    indicators: () => ({ volatility: volatility(klines) }),
    termsOf(_entry, { view, indicators }) {
      const found = annualVolatility(indicators.volatility.value, view.interval)
      return found > 0 ? { size: { equityFraction: Math.min(max, annual / found) } } : 'skip'
    },
  })
}

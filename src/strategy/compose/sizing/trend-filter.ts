import { ema } from '../../../indicators/ema.ts'
import { sma } from '../../../indicators/sma.ts'
import { definePart, type Part } from '../part.ts'

/**
 * Allows longs only above a moving average of the last `klines` closes, and shorts only below it. The rule of
 * ten months in M. T. Faber, "A Quantitative Approach to Tactical Asset Allocation", Journal of Wealth
 * Management 9(4), 2007.
 */
export function trendFilter({
  klines,
  average = 'sma',
}: {
  readonly klines: number
  /** Default: `sma`. */
  readonly average?: 'sma' | 'ema'
}): Part {
  return definePart({
    name: 'trendFilter',
    indicators: () => ({ average: average === 'sma' ? sma(klines) : ema(klines) }),
    allows: (direction, { kline: { close }, indicators }) =>
      direction === 'long' ? close > indicators.average.value : close < indicators.average.value,
  })
}

import type { Instrument } from '../../../src/domain/instrument.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { priceOf, roundToTicks, type Ticks, ticks } from '../../../src/domain/numbers/grid.ts'
import type { Trail } from '../model-order.ts'
import type { ForecastOrder } from './forecast-order.ts'
import { tickTowards } from './path-point.ts'

/** Between which prices a path may turn, quote per base. */
export interface TurningRange {
  readonly from: number
  readonly to: number
  /**
   * True to move trailing buy stops on the way down from `from` to `to`; false to move trailing sell stops on
   * the way up.
   */
  readonly isBuy: boolean
}

/**
 * Prices at which a turn may be best: the far end of a range, the close, and each price that moves a trailing
 * stop to a relevant price, or to one tick beside it.
 */
export function turningPoints(
  instrument: Instrument,
  orders: readonly ForecastOrder[],
  kline: Kline,
  { from, to, isBuy }: TurningRange,
): readonly number[] {
  const points = new Set([to, kline.close])
  const levels = levelsOf(orders, kline)
  for (const { isBuy: buys, trail } of orders) {
    if (trail === undefined || buys !== isBuy) continue
    for (const level of levels) {
      const best = bestFor(instrument, trail, level, { from, to, isBuy })
      for (const beside of [-1, 0, 1]) points.add(priceOf(instrument, ticks(best + beside)))
      // A stop behind by a part of the price may need more than a tick of it to get a tick beyond the level.
      const beyond = tickTowards(instrument, level, to)
      points.add(priceOf(instrument, bestFor(instrument, trail, beyond, { from, to, isBuy })))
    }
  }
  return [...points].filter(price => (isBuy ? price < from && price >= to : price > from && price <= to))
}

function levelsOf(orders: readonly ForecastOrder[], { low, high, close }: Kline): ReadonlySet<number> {
  const levels = new Set([low, high, close])
  for (const { stopPrice, limitPrice, touchPrice } of orders)
    for (const level of [stopPrice, limitPrice, touchPrice])
      if (level !== undefined && level >= low && level <= high) levels.add(level)
  return levels
}

/**
 * The best price, nearest to `from`, that moves a trailing stop to `level`; prices beyond `to` do not matter.
 */
function bestFor(
  instrument: Instrument,
  trail: Trail,
  level: number,
  { from, to, isBuy }: TurningRange,
): Ticks {
  const sign = isBuy ? -1 : 1
  const start = roundToTicks(instrument, from, 'nearest')
  let [below, reaching] = [0, Math.abs(roundToTicks(instrument, to, 'nearest') - start) + 1]
  while (below < reaching) {
    const middle = Math.floor((below + reaching) / 2)
    const stop = trail.levelAt(priceOf(instrument, ticks(start + sign * middle)))
    if (stop !== undefined && sign * (stop - level) >= 0) reaching = middle
    else below = middle + 1
  }
  return ticks(start + sign * reaching)
}

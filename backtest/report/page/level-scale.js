/** @import { PageLevels } from '../page-data.ts' */
/** @import { TimeAxis } from './time-axis.js' */

/** A level within this fraction of the prices in view widens their scale; one farther away would flatten the klines. */
const NEAR = 0.03

/**
 * The prices from the lowest to the highest level that stood in view, near the klines there; undefined without one.
 * @param {TimeAxis} axis
 * @param {{ readonly from: number, readonly to: number }} view in seconds
 * @param {PageLevels} levels
 * @param {{ readonly rows: readonly number[], readonly ticksPerOne: number }} near rows of levels near the view
 */
export function levelScale(axis, view, levels, { rows, ticksPerOne }) {
  const klines = klineScale(axis, view)
  const prices = rows
    .filter(row => (levels.to[row] ?? 0) > view.from && (levels.from[row] ?? 0) < view.to)
    .map(row => (levels.price[row] ?? 0) / ticksPerOne)
    .filter(price => price >= klines.minValue * (1 - NEAR) && price <= klines.maxValue * (1 + NEAR))
  if (prices.length === 0) return undefined
  return { minValue: Math.min(...prices), maxValue: Math.max(...prices) }
}

/**
 * @param {TimeAxis} axis
 * @param {{ readonly from: number, readonly to: number }} view
 */
function klineScale({ level, start, end }, { from, to }) {
  const { time, seconds, low, high } = level
  let [minValue, maxValue] = [Number.POSITIVE_INFINITY, 0]
  for (let row = start; row < end; row++) {
    const open = time[row] ?? 0
    if (open + seconds <= from || open >= to) continue
    minValue = Math.min(minValue, low[row] ?? minValue)
    maxValue = Math.max(maxValue, high[row] ?? maxValue)
  }
  return { minValue, maxValue }
}

/** @import { PageColumn, PageKlines, PageSeries } from '../page-data.ts' */

/**
 * Klines of one length by column, ascending. Times are the opens in seconds UTC, prices in quote.
 * @typedef {object} Level
 * @property {number} seconds
 * @property {number} length
 * @property {Float64Array} time
 * @property {Float64Array} open
 * @property {Float64Array} high
 * @property {Float64Array} low
 * @property {Float64Array} close
 * @property {Float64Array} volume
 * @property {Float64Array} [worth] equity at the close, in quote
 * @property {Float64Array} [drawdown] a fraction below 0
 * @property {Float64Array[]} series values of indicators and own series; NaN where there is none
 */

/**
 * Values beside the klines, by column.
 * @typedef {{ readonly worth?: PageColumn, readonly drawdown?: PageColumn, readonly series?: readonly PageSeries[] }} Beside
 */

/** The klines of the page at the length that suits what is shown; longer ones are joined when they are first needed. */
export class KlineLevels {
  /** @type {Level[]} */
  #levels
  #lengths

  /**
   * @param {PageKlines} klines
   * @param {number} pricePrecision
   * @param {readonly number[]} spanLengths what they may be joined to, in seconds
   * @param {Beside} [beside]
   */
  constructor(klines, pricePrecision, spanLengths, beside = {}) {
    this.#levels = [levelOf(klines, 10 ** pricePrecision, beside)]
    const { seconds } = klines
    this.#lengths = [seconds, ...spanLengths.filter(length => length > seconds && length % seconds === 0)]
  }

  /** The klines as they are in the page. */
  get finest() {
    return /** @type {Level} */ (this.#levels[0]) // there from the start
  }

  /** When the first kline opens, and when the last one closes. */
  get span() {
    const { time, length, seconds } = this.finest
    return { from: time[0] ?? 0, to: (time[length - 1] ?? 0) + seconds }
  }

  /**
   * The level with the shortest klines of which at most `count` make up a span.
   * @param {number} span in seconds
   * @param {number} count
   */
  fitting(span, count) {
    const longest = this.#lengths.at(-1) ?? this.finest.seconds
    const wanted = this.#lengths.find(length => span / length <= count) ?? longest
    const known = this.#levels.find(level => level.seconds === wanted)
    if (known !== undefined) return known
    const level = joined(this.finest, wanted)
    this.#levels.push(level)
    return level
  }
}

/**
 * How many klines open before `time`.
 * @param {Level} level
 * @param {number} time
 */
export function opensBefore({ time: times, length }, time) {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * @param {number} seconds
 * @param {number} length
 * @returns {Level}
 */
function emptyLevel(seconds, length) {
  const column = () => new Float64Array(length)
  const prices = { open: column(), high: column(), low: column(), close: column() }
  return { seconds, length, time: column(), ...prices, volume: column(), series: [] }
}

/**
 * Adds up the differences of a column; a gap is NaN.
 * @param {PageColumn} column
 */
function valuesIn({ step, differences }) {
  const values = new Float64Array(differences.length)
  const scale = Math.round(1 / step)
  let last = 0
  for (let row = 0; row < values.length; row++) {
    const difference = differences[row] ?? null
    if (difference !== null) last += difference
    values[row] = difference === null ? Number.NaN : last / scale
  }
  return values
}

/**
 * Adds up the differences that the page holds.
 * @param {PageKlines} klines
 * @param {number} ticksPerOne
 * @param {Beside} beside
 */
function levelOf({ seconds, start, unit, steps, open, high, low, close, volume }, ticksPerOne, beside) {
  const level = emptyLevel(seconds, steps.length)
  level.volume = Float64Array.from(volume)
  if (beside.worth !== undefined) level.worth = valuesIn(beside.worth)
  if (beside.drawdown !== undefined) level.drawdown = valuesIn(beside.drawdown)
  level.series = (beside.series ?? []).map(valuesIn)
  let [time, last] = [start, 0]
  for (let row = 0; row < steps.length; row++) {
    time += (steps[row] ?? 0) * unit
    const first = last + (open[row] ?? 0)
    last = first + (close[row] ?? 0)
    level.time[row] = time
    level.open[row] = first / ticksPerOne
    level.close[row] = last / ticksPerOne
    level.high[row] = (Math.max(first, last) + (high[row] ?? 0)) / ticksPerOne
    level.low[row] = (Math.min(first, last) - (low[row] ?? 0)) / ticksPerOne
  }
  return level
}

/**
 * Klines of `seconds` from shorter ones.
 * @param {Level} level
 * @param {number} seconds
 */
function joined({ time, open, high, low, close, volume, worth, drawdown, series, length }, seconds) {
  const level = emptyLevel(seconds, length)
  if (worth !== undefined) level.worth = new Float64Array(length)
  if (drawdown !== undefined) level.drawdown = new Float64Array(length).fill(Number.NaN)
  level.series = series.map(() => new Float64Array(length).fill(Number.NaN))
  let [rows, current] = [0, Number.NaN]
  for (let row = 0; row < length; row++) {
    const start = Math.floor((time[row] ?? 0) / seconds) * seconds
    if (start !== current) {
      current = start
      level.time[rows] = start
      level.open[rows] = open[row] ?? 0
      level.high[rows] = high[row] ?? 0
      level.low[rows] = low[row] ?? 0
      rows++
    }
    const last = rows - 1
    level.high[last] = Math.max(level.high[last] ?? 0, high[row] ?? 0)
    level.low[last] = Math.min(level.low[last] ?? 0, low[row] ?? 0)
    level.close[last] = close[row] ?? 0
    level.volume[last] = (level.volume[last] ?? 0) + (volume[row] ?? 0)
    if (level.worth !== undefined) level.worth[last] = worth?.[row] ?? Number.NaN
    const fall = drawdown?.[row] ?? Number.NaN
    // Nothing is known before the first equity.
    if (level.drawdown !== undefined && !((level.drawdown[last] ?? Number.NaN) <= fall))
      level.drawdown[last] = fall
    level.series.forEach((values, place) => {
      const value = series[place]?.[row] ?? Number.NaN
      if (!Number.isNaN(value)) values[last] = value
    })
  }
  level.length = rows
  return level
}

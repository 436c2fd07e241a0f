/** @import { PageKlines } from '../page-data.ts' */

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
   */
  constructor(klines, pricePrecision, spanLengths) {
    this.#levels = [levelOf(klines, 10 ** pricePrecision)]
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
  return { seconds, length, time: column(), open: column(), high: column(), low: column(), close: column() }
}

/**
 * Adds up the differences that the page holds.
 * @param {PageKlines} klines
 * @param {number} ticksPerOne
 */
function levelOf({ seconds, start, unit, steps, open, high, low, close }, ticksPerOne) {
  const level = emptyLevel(seconds, steps.length)
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
function joined({ time, open, high, low, close, length }, seconds) {
  const level = emptyLevel(seconds, length)
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
  }
  level.length = rows
  return level
}

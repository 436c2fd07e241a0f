/** @import { Level } from './kline-levels.js' */
import { opensBefore } from './kline-levels.js'

/**
 * The rows of a level that a chart holds, and where times lie among them: the chart counts bars from the first one that it
 * holds, and a kline covers half a bar to both sides of its place.
 */
export class TimeAxis {
  #level
  #start
  #end

  /**
   * @param {Level} level
   * @param {number} start first row
   * @param {number} end row after the last
   */
  constructor(level, start, end) {
    this.#level = level
    this.#start = start
    this.#end = end
  }

  get level() {
    return this.#level
  }

  get start() {
    return this.#start
  }

  get end() {
    return this.#end
  }

  /**
   * The place of a time, which may lie between bars or outside of them.
   * @param {number} time
   */
  placeOf(time) {
    const { seconds, time: times } = this.#level
    const row = Math.min(this.#end, Math.max(this.#start + 1, opensBefore(this.#level, time + 1e-6))) - 1
    const open = times[row] ?? 0
    const within = (time - open) / seconds
    const isLast = row === this.#end - 1
    return row - this.#start + (isLast ? within : Math.min(1, within)) - 0.5
  }

  /**
   * The time at a place.
   * @param {number} place
   */
  timeAt(place) {
    const { seconds, time: times } = this.#level
    const offset = place + 0.5
    const row = Math.min(this.#end - this.#start - 1, Math.max(0, Math.floor(offset)))
    return (times[this.#start + row] ?? 0) + (offset - row) * seconds
  }

  /**
   * Whether the chart holds all there is of a span.
   * @param {number} from
   * @param {number} to
   */
  covers(from, to) {
    const { time: times, length, seconds } = this.#level
    const startsInTime = this.#start === 0 || (times[this.#start] ?? 0) <= from
    return startsInTime && (this.#end === length || (times[this.#end - 1] ?? 0) + seconds >= to)
  }
}

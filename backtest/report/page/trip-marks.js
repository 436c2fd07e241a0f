/** @import { IChartApi, ISeriesApi, ISeriesPrimitive, SeriesAttachedParameter, Time } from 'lightweight-charts' */
/** @import { DrawnTrips } from '../page-data.ts' */
/** @import { Palette } from './palette.js' */
/** @import { TimeAxis } from './time-axis.js' */

/** With more round trips than this in view, lines would hide the market; they are dots then. */
const MOST_WITH_LINES = 250
/** With more than this, only some of them are drawn, evenly spread. */
const MOST_DRAWN = 1500
/** Size of a dot, in pixels. */
const DOT = 3

/** How near a click must be to an entry or an exit, in pixels. */
const REACH = 14

/**
 * Where an entry or an exit is drawn, in pixels.
 * @typedef {{ row: number, x: number, y: number }} Spot
 */

/**
 * Draws round trips over klines at their exact times and prices: a triangle at the entry, pointing up for long and down for
 * short, a line to the exit, and a dot there, in the colour of its profit or loss.
 * @implements {ISeriesPrimitive<Time>}
 */
export class TripMarks {
  #trips
  #ticksPerOne
  #palette
  /** @type {SeriesAttachedParameter<Time> | undefined} */
  #attached
  /** @type {TimeAxis | undefined} */
  #axis
  #selected = -1
  /** How many are in view. */
  #count = 0
  /** @type {number[]} those in view, and about as many on both sides, for when the chart is dragged */
  #near = []
  /** @type {Spot[]} */
  #spots = []
  #views = [{ zOrder: () => /** @type {const} */ ('top'), renderer: () => ({ draw: this.#draw.bind(this) }) }]

  /**
   * @param {DrawnTrips} trips
   * @param {number} pricePrecision
   * @param {Palette} palette
   */
  constructor(trips, pricePrecision, palette) {
    this.#trips = trips
    this.#ticksPerOne = 10 ** pricePrecision
    this.#palette = palette
  }

  /**
   * Takes the round trips as they are now.
   * @param {DrawnTrips} trips
   */
  set data(trips) {
    this.#trips = trips
  }

  /** @param {SeriesAttachedParameter<Time>} parameter */
  attached(parameter) {
    this.#attached = parameter
  }

  detached() {
    this.#attached = undefined
  }

  paneViews() {
    return this.#views
  }

  /** How many round trips there are in view. */
  get count() {
    return this.#count
  }

  /**
   * Marks that are drawn, each with its colour.
   * @returns {readonly (readonly [name: string, colour: string])[]}
   */
  get keys() {
    const { accent, gain, loss } = this.#palette
    if (this.#count === 0) return []
    return [
      ['entry', accent],
      ['exit with a profit', gain],
      ['exit with a loss', loss],
    ]
  }

  /** One in how many of those in view is drawn. */
  get stride() {
    return Math.max(1, Math.ceil(this.#count / MOST_DRAWN))
  }

  /** @param {Palette} palette */
  set palette(palette) {
    this.#palette = palette
    this.#attached?.requestUpdate()
  }

  /** @param {number} row */
  set selected(row) {
    this.#selected = row
    this.#attached?.requestUpdate()
  }

  /**
   * Sets what is in view.
   * @param {TimeAxis} axis
   * @param {number} from
   * @param {number} to
   */
  show(axis, from, to) {
    this.#axis = axis
    this.#near = this.#between(2 * from - to, 2 * to - from)
    this.#count = this.#between(from, to).length
    this.#attached?.requestUpdate()
  }

  /**
   * The round trips that were open at some time of a span.
   * @param {number} from
   * @param {number} to
   */
  #between(from, to) {
    const { entryTime, exitTime } = this.#trips
    const rows = []
    for (let row = 0; row < entryTime.length; row++) {
      if ((exitTime[row] ?? 0) >= from && (entryTime[row] ?? 0) <= to) rows.push(row)
    }
    return rows
  }

  /**
   * The round trip with an entry or an exit near a point; -1 for none.
   * @param {number} x
   * @param {number} y
   */
  rowNear(x, y) {
    let [row, nearest] = [-1, REACH]
    for (const spot of this.#spots) {
      const distance = Math.hypot(spot.x - x, spot.y - y)
      if (distance < nearest) [row, nearest] = [spot.row, distance]
    }
    return row
  }

  /** @param {import('fancy-canvas').CanvasRenderingTarget2D} target */
  #draw(target) {
    this.#spots = []
    const { stride } = this
    const isDetailed = this.count <= MOST_WITH_LINES
    target.useMediaCoordinateSpace(({ context }) => {
      for (const [place, row] of this.#near.entries()) {
        if (row === this.#selected || place % stride !== 0) continue
        if (isDetailed) this.#drawTrip(context, row)
        else this.#drawDots(context, row)
      }
      if (this.#near.includes(this.#selected)) this.#drawTrip(context, this.#selected)
    })
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} row
   */
  #drawDots(context, row) {
    const { entryTime, exitTime, entryPrice, exitPrice, pnl } = this.#trips
    const { gain, loss, accent } = this.#palette
    const entry = this.#spot(row, entryTime[row] ?? 0, entryPrice[row] ?? 0)
    const exit = this.#spot(row, exitTime[row] ?? 0, exitPrice[row] ?? 0)
    if (entry === undefined || exit === undefined) return
    this.#spots.push(entry, exit)
    context.fillStyle = accent
    context.fillRect(entry.x - DOT / 2, entry.y - DOT / 2, DOT, DOT)
    context.fillStyle = (pnl[row] ?? 0) < 0 ? loss : gain
    context.fillRect(exit.x - DOT / 2, exit.y - DOT / 2, DOT, DOT)
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} row
   */
  #drawTrip(context, row) {
    const { entryTime, exitTime, entryPrice, exitPrice, pnl, direction } = this.#trips
    const entry = this.#spot(row, entryTime[row] ?? 0, entryPrice[row] ?? 0)
    const exit = this.#spot(row, exitTime[row] ?? 0, exitPrice[row] ?? 0)
    if (entry === undefined || exit === undefined) return
    this.#spots.push(entry, exit)
    const { gain, loss, accent, card } = this.#palette
    const isSelected = row === this.#selected
    const colour = (pnl[row] ?? 0) < 0 ? loss : gain
    context.lineWidth = isSelected ? 3 : 1.5
    context.strokeStyle = colour
    context.setLineDash(isSelected ? [] : [4, 3])
    context.beginPath()
    context.moveTo(entry.x, entry.y)
    context.lineTo(exit.x, exit.y)
    context.stroke()
    context.setLineDash([])
    const size = isSelected ? 8 : 5
    // The border in the colour of the background sets marks apart from klines and from each other.
    context.strokeStyle = card
    context.lineWidth = 1.5
    context.fillStyle = accent
    triangle(context, entry, (direction[row] ?? 1) * size)
    context.fillStyle = colour
    context.beginPath()
    context.arc(exit.x, exit.y, size * 0.8, 0, 2 * Math.PI)
    context.fill()
    context.stroke()
  }

  /**
   * @param {number} row
   * @param {number} time
   * @param {number} ticks
   * @returns {Spot | undefined}
   */
  #spot(row, time, ticks) {
    if (this.#axis === undefined || this.#attached === undefined) return undefined
    const { chart, series } = this.#attached
    const x = xAt(/** @type {IChartApi} */ (chart), this.#axis.placeOf(time))
    const y = /** @type {ISeriesApi<'Candlestick'>} */ (series).priceToCoordinate(ticks / this.#ticksPerOne)
    return x === undefined || y === null ? undefined : { row, x, y }
  }
}

/**
 * A triangle with its tip at a spot: below it and pointing up for a positive size, else above it and pointing down.
 * @param {CanvasRenderingContext2D} context
 * @param {Spot} spot
 * @param {number} size
 */
export function triangle(context, { x, y }, size) {
  const width = Math.abs(size)
  context.beginPath()
  context.moveTo(x, y)
  context.lineTo(x - width, y + 1.8 * size)
  context.lineTo(x + width, y + 1.8 * size)
  context.closePath()
  context.fill()
  context.stroke()
}

/**
 * The pixel of a place, which the library only knows for whole bars.
 * @param {IChartApi} chart
 * @param {number} place
 */
export function xAt(chart, place) {
  const scale = chart.timeScale()
  const whole = Math.floor(place)
  const x = scale.logicalToCoordinate(/** @type {import('lightweight-charts').Logical} */ (whole))
  return x === null ? undefined : x + (place - whole) * scale.options().barSpacing
}

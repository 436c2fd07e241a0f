/** @import { IChartApi, ISeriesApi, ISeriesPrimitive, SeriesAttachedParameter, Time } from 'lightweight-charts' */
/** @import { PageEnds, PageFills, PageLevels } from '../page-data.ts' */
/** @import { Palette } from './palette.js' */
/** @import { TimeAxis } from './time-axis.js' */
import { levelScale } from './level-scale.js'
import { triangle, xAt } from './trip-marks.js'

/** What is drawn of orders. @typedef {{ readonly levels: PageLevels, readonly ends: PageEnds, readonly fills?: PageFills }} OrderData */

/** With more than this in view, levels and marks would hide the market. */
const MOST_IN_VIEW = 2000
/** Half the size of a mark, in pixels. */
const MARK = 4
/** Names of levels by their kind. */
const LEVELS = ['stop', 'target', 'entry']

/**
 * Draws stops, targets and waiting entries as lines at their prices as long as they stood, a cross for each canceled order, a
 * square for each denied one, and a triangle for each fill that belongs to no round trip.
 * @implements {ISeriesPrimitive<Time>}
 */
export class OrderMarks {
  #levels
  #ends
  #fills
  #ticksPerOne
  #palette
  /** @type {SeriesAttachedParameter<Time> | undefined} */
  #attached
  /** @type {TimeAxis | undefined} */
  #axis
  /** @type {number[]} rows of levels near the view */
  #levelRows = []
  /** @type {number[]} rows of orders near the view */
  #endRows = []
  /** @type {number[]} rows of fills near the view */
  #fillRows = []
  #views = [{ zOrder: () => /** @type {const} */ ('top'), renderer: () => ({ draw: this.#draw.bind(this) }) }]

  /**
   * @param {OrderData} data
   * @param {number} pricePrecision
   * @param {Palette} palette
   */
  constructor({ levels, ends, fills }, pricePrecision, palette) {
    this.#levels = levels
    this.#ends = ends
    this.#fills = fills
    this.#ticksPerOne = 10 ** pricePrecision
    this.#palette = palette
  }

  /**
   * Takes the orders as they are now.
   * @param {OrderData} data
   */
  set data({ levels, ends, fills }) {
    this.#levels = levels
    this.#ends = ends
    this.#fills = fills
  }

  /**
   * Marks of orders that came to nothing near the view, each with its colour.
   * @returns {readonly (readonly [name: string, colour: string])[]}
   */
  get keys() {
    const { warning, muted } = this.#palette
    const isAny = (/** @type {boolean} */ isDenied) =>
      this.#endRows.some(row => (this.#ends.isDenied[row] === 1) === isDenied)
    return [
      ...(isAny(true) ? [/** @type {const} */ (['denied', warning])] : []),
      ...(isAny(false) ? [/** @type {const} */ (['canceled', muted])] : []),
    ]
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

  /**
   * Widens the price scale to the levels in view that are near its klines, so that a stop a little away is seen.
   * @param {number} first place of the first bar in view
   * @param {number} last
   */
  autoscaleInfo(first, last) {
    const axis = this.#axis
    if (axis === undefined) return null
    const view = { from: axis.timeAt(first), to: axis.timeAt(last) }
    const near = { rows: this.#levelRows, ticksPerOne: this.#ticksPerOne }
    const priceRange = levelScale(axis, view, this.#levels, near)
    return priceRange === undefined ? null : { priceRange }
  }

  /** @param {Palette} palette */
  set palette(palette) {
    this.#palette = palette
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
    const [first, last] = [2 * from - to, 2 * to - from]
    const { from: begins, to: stops } = this.#levels
    this.#levelRows = rowsOf(begins.length, row => (stops[row] ?? 0) >= first && (begins[row] ?? 0) <= last)
    const { time } = this.#ends
    this.#endRows = rowsOf(time.length, row => (time[row] ?? 0) >= first && (time[row] ?? 0) <= last)
    const filled = this.#fills?.time ?? []
    this.#fillRows = rowsOf(filled.length, row => (filled[row] ?? 0) >= first && (filled[row] ?? 0) <= last)
    this.#attached?.requestUpdate()
  }

  /**
   * Levels that stood at some time of a span, and orders that came to nothing in it, as texts.
   * @param {number} from
   * @param {number} to
   * @param {(price: number) => string} priceText
   * @returns {string[]}
   */
  textsBetween(from, to, priceText) {
    const { from: begins, to: stops, price, kind } = this.#levels
    const { time, isDenied, text, texts } = this.#ends
    return [
      ...this.#levelRows
        .filter(row => (begins[row] ?? 0) < to && (stops[row] ?? 0) > from)
        .map(row => `${LEVELS[kind[row] ?? 0]} ${priceText((price[row] ?? 0) / this.#ticksPerOne)}`),
      ...this.#endRows
        .filter(row => (time[row] ?? 0) > from && (time[row] ?? 0) <= to)
        .map(row => `${isDenied[row] === 1 ? 'denied' : 'canceled'}: ${texts[text[row] ?? -1] ?? ''}`),
      ...this.#fillTexts(from, to, priceText),
    ]
  }

  /**
   * @param {number} from
   * @param {number} to
   * @param {(price: number) => string} priceText
   */
  #fillTexts(from, to, priceText) {
    const fills = this.#fills
    if (fills === undefined) return []
    return this.#fillRows
      .filter(row => (fills.time[row] ?? 0) > from && (fills.time[row] ?? 0) <= to)
      .map(
        row =>
          `${fills.isBacktest[row] === 1 ? 'backtest ' : ''}${fills.isBuy[row] === 1 ? 'bought' : 'sold'} at ${priceText((fills.price[row] ?? 0) / this.#ticksPerOne)}`,
      )
  }

  /** @param {import('fancy-canvas').CanvasRenderingTarget2D} target */
  #draw(target) {
    target.useMediaCoordinateSpace(({ context }) => {
      for (const row of this.#levelRows) this.#drawLevel(context, row)
      for (const row of this.#endRows) this.#drawEnd(context, row)
      for (const row of this.#fillRows) this.#drawFill(context, row)
    })
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} row
   */
  #drawLevel(context, row) {
    const { from, to, price, kind } = this.#levels
    const { loss, gain, accent } = this.#palette
    const [left, right] = [this.#x(from[row] ?? 0), this.#x(to[row] ?? 0)]
    const y = this.#y(price[row] ?? 0)
    if (left === undefined || right === undefined || y === undefined) return
    context.strokeStyle = [loss, gain, accent][kind[row] ?? 0] ?? loss
    context.lineWidth = 1.5
    context.setLineDash([2, 2])
    context.beginPath()
    context.moveTo(left, y)
    context.lineTo(Math.max(right, left + 2), y)
    context.stroke()
    context.setLineDash([])
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} row
   */
  #drawEnd(context, row) {
    const { time, price, isDenied } = this.#ends
    const x = this.#x(time[row] ?? 0)
    const ticks = price[row] ?? -1
    // An order at market has no price: its mark is at the top.
    const y = ticks < 0 ? 2 * MARK : this.#y(ticks)
    if (x === undefined || y === undefined) return
    const { warning, muted } = this.#palette
    if (isDenied[row] === 1) {
      context.fillStyle = warning
      context.fillRect(x - MARK, y - MARK, 2 * MARK, 2 * MARK)
      return
    }
    context.strokeStyle = muted
    context.lineWidth = 2
    context.beginPath()
    context.moveTo(x - MARK, y - MARK)
    context.lineTo(x + MARK, y + MARK)
    context.moveTo(x + MARK, y - MARK)
    context.lineTo(x - MARK, y + MARK)
    context.stroke()
  }

  /**
   * A buy points up from below its price, a sale down from above it; those of the backtest are hollow.
   * @param {CanvasRenderingContext2D} context
   * @param {number} row
   */
  #drawFill(context, row) {
    const { time = [], price = [], isBuy = [], isBacktest = [] } = this.#fills ?? {}
    const [x, y] = [this.#x(time[row] ?? 0), this.#y(price[row] ?? 0)]
    if (x === undefined || y === undefined) return
    const { accent, card } = this.#palette
    const isHollow = isBacktest[row] === 1
    context.lineWidth = 1.5
    context.strokeStyle = isHollow ? accent : card
    context.fillStyle = isHollow ? card : accent
    triangle(context, { row, x, y }, isBuy[row] === 1 ? MARK + 1 : -MARK - 1)
  }

  /** @param {number} time */
  #x(time) {
    if (this.#axis === undefined || this.#attached === undefined) return undefined
    return xAt(/** @type {IChartApi} */ (this.#attached.chart), this.#axis.placeOf(time))
  }

  /** @param {number} ticks */
  #y(ticks) {
    const series = /** @type {ISeriesApi<'Candlestick'> | undefined} */ (this.#attached?.series)
    return series?.priceToCoordinate(ticks / this.#ticksPerOne) ?? undefined
  }
}

/**
 * The first rows for which something is true, so that drawing stays quick.
 * @param {number} length
 * @param {(row: number) => boolean} isShown
 */
function rowsOf(length, isShown) {
  const rows = []
  for (let row = 0; row < length && rows.length < MOST_IN_VIEW; row++) if (isShown(row)) rows.push(row)
  return rows
}

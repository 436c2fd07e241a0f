/** @import { DrawnChart } from '../page-data.ts' */
/** @import { Palette } from './palette.js' */
/** @import { CandlestickData, UTCTimestamp } from 'lightweight-charts' */
import { ChartSeries, keyOf, volumeBars } from './chart-series.js'
import { KlineLevels, opensBefore } from './kline-levels.js'
import { OrderMarks } from './order-marks.js'
import { chartOptions, faded } from './palette.js'
import { axisText, fixedText, intervalText, momentText } from './texts.js'
import { TimeAxis } from './time-axis.js'
import { TripMarks } from './trip-marks.js'

/** Fewer pixels for a kline say nothing. */
const PIXELS_PER_KLINE = 3
/** How long what is in view must rest before other klines are taken. */
const REST_MS = 80
/** Levels and orders that the legend lists of one kline. */
const MOST_TEXTS = 6
/** Height of a pane below that of the price, in pixels. */
const PANE_HEIGHT = 80

/** @typedef {DrawnChart & { readonly quote: string, readonly spanLengths: readonly number[] }} ChartData */

/**
 * The klines of a market with everything that happened on them: volume, indicators, round trips, stops and targets, orders that
 * came to nothing, equity and drawdown, under one crosshair. It always holds klines of a length that suits the span in view.
 */
export class PriceChart {
  #data
  #container
  #legend
  #levels
  #chart
  #klines
  #volume
  #curves
  #profits
  #marks
  #orders
  /** @type {TimeAxis | undefined} */
  #axis
  #timer = 0
  /** @type {number | undefined} the open of the kline under the crosshair, in seconds */
  #pointed
  /**
   * What is to be in view, until the next frame: only then does the chart take it over, and says something else before.
   * @type {{ readonly from: number, readonly to: number } | undefined}
   */
  #asked
  #palette
  /** @type {(row: number) => void} */
  #onSelect
  /** @type {((time: number | undefined) => void) | undefined} takes the time under the crosshair, in seconds */
  onCrosshair
  /** @type {((time: number) => void) | undefined} takes the open of a kline that was clicked beside any mark, in seconds */
  onTime

  /**
   * @param {typeof import('lightweight-charts')} library
   * @param {HTMLElement} container
   * @param {HTMLElement} legend
   * @param {ChartData} data
   * @param {Palette} palette
   * @param {(row: number) => void} onSelect takes the round trip that was clicked
   */
  constructor(library, container, legend, data, palette, onSelect) {
    const { pricePrecision } = data.market
    this.#data = data
    this.#container = container
    this.#legend = legend
    this.#palette = palette
    this.#onSelect = onSelect
    this.#levels = new KlineLevels(data.klines, pricePrecision, data.spanLengths, data)
    this.#chart = library.createChart(container, {
      // The footer of the page names it; the logo would be markup inside the page, which its policy forbids.
      layout: { attributionLogo: false },
      autoSize: true,
      handleScroll: { vertTouchDrag: false },
      localization: { locale: 'en', timeFormatter: (/** @type {number} */ time) => momentText(time) },
      timeScale: {
        timeVisible: true,
        minBarSpacing: 0.5,
        rightOffset: 0,
        lockVisibleTimeRangeOnResize: true,
      },
    })
    this.#klines = this.#chart.addSeries(library.CandlestickSeries, {
      priceFormat: {
        type: 'custom',
        minMove: 10 ** -pricePrecision,
        formatter: (/** @type {number} */ price) => axisText(price, pricePrecision),
      },
      priceLineVisible: false,
    })
    this.#klines.priceScale().applyOptions({ scaleMargins: { top: 0.06, bottom: 0.2 } })
    const bars = { priceLineVisible: false, lastValueVisible: false }
    this.#volume = this.#chart.addSeries(library.HistogramSeries, { ...bars, priceScaleId: 'volume' })
    this.#volume.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } })
    this.#curves = new ChartSeries(library, this.#chart, data)
    this.#profits = this.#chart.addSeries(
      library.HistogramSeries,
      { ...bars, priceScaleId: 'profits' },
      this.#curves.equityPane,
    )
    this.#profits.priceScale().applyOptions({ scaleMargins: { top: 0.6, bottom: 0 } })
    container.style.setProperty('--panes', `${(this.#curves.panes - 1) * PANE_HEIGHT}px`)
    this.#orders = new OrderMarks(data, pricePrecision, palette)
    this.#klines.attachPrimitive(this.#orders)
    this.#marks = new TripMarks(data.trips, pricePrecision, palette)
    this.#klines.attachPrimitive(this.#marks)
    this.palette = palette
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange(() => this.#viewChanged())
    this.#chart.subscribeCrosshairMove(event => {
      const time = event.time === undefined ? undefined : Number(event.time)
      this.#pointed = time
      this.#writeLegend(time)
      this.onCrosshair?.(time)
    })
    this.#chart.subscribeClick(({ point, time }) => {
      const row = point === undefined ? -1 : this.#marks.rowNear(point.x, point.y)
      if (row >= 0) this.#onSelect(row)
      else if (time !== undefined) this.onTime?.(Number(time))
    })
  }

  /**
   * Puts the crosshair and the legend onto the kline of a time, in seconds; takes it away without one.
   * @param {number | undefined} time
   */
  set crosshair(time) {
    if (time === undefined || this.#axis === undefined) {
      this.#chart.clearCrosshairPosition()
      this.#writeLegend()
      return
    }
    const { level, start, end } = this.#axis
    const row = opensBefore(level, time) - 1
    if (row < start || row >= end) return
    const at = /** @type {UTCTimestamp} */ (level.time[row] ?? 0)
    this.#chart.setCrosshairPosition(level.close[row] ?? 0, at, this.#klines)
    this.#writeLegend(at)
  }

  /** When the first kline opens, and when the last one closes, in seconds. */
  get span() {
    return this.#levels.span
  }

  /** Length of the klines that are shown now, in seconds. */
  get shownSeconds() {
    return this.#axis?.level.seconds ?? this.klineSeconds
  }

  /** Length of the shortest klines there are. */
  get klineSeconds() {
    return this.#levels.finest.seconds
  }

  /** The span in view, in seconds. */
  get view() {
    if (this.#asked !== undefined) return this.#asked
    const range = this.#chart.timeScale().getVisibleLogicalRange()
    if (range === null || this.#axis === undefined) return this.span
    return { from: this.#axis.timeAt(range.from), to: this.#axis.timeAt(range.to) }
  }

  /** @param {Palette} palette */
  set palette(palette) {
    this.#palette = palette
    const { rising, falling } = palette
    this.#chart.applyOptions(chartOptions(palette))
    this.#klines.applyOptions({
      upColor: rising,
      borderUpColor: rising,
      wickUpColor: rising,
      downColor: falling,
      borderDownColor: falling,
      wickDownColor: falling,
    })
    this.#marks.palette = palette
    this.#orders.palette = palette
    this.#curves.palette = palette
    this.#writeLegend(this.#pointed)
    if (this.#axis === undefined) return
    this.#profits.setData(this.#profitBars(this.#axis))
    this.#volume.setData(volumeBars(this.#axis, palette))
  }

  /** Takes the chart out of the page, for that of another market to take its place. */
  remove() {
    clearTimeout(this.#timer)
    this.#chart.remove()
  }

  /**
   * Takes newer data of the same market with the same series. What is in view stays; where that was the latest kline, it
   * moves on with it.
   * @param {ChartData} data
   */
  update(data) {
    const [{ to: end }, { from, to }] = [this.span, this.view]
    this.#data = data
    this.#levels = new KlineLevels(data.klines, data.market.pricePrecision, data.spanLengths, data)
    this.#marks.data = data.trips
    this.#orders.data = data
    const step = to >= end ? this.span.to - end : 0
    this.show(from + step, to + step)
  }

  /** Shows the whole run, with a little space at both ends. */
  showAll() {
    const { from, to } = this.span
    const margin = (to - from) / 100
    this.show(from - margin, to + margin)
  }

  /**
   * Shows a span of time, in seconds.
   * @param {number} from
   * @param {number} to
   */
  show(from, to) {
    const bars = Math.max(30, this.#container.clientWidth / PIXELS_PER_KLINE)
    const level = this.#levels.fitting(to - from, bars)
    if (this.#axis?.level !== level || !this.#axis.covers(from, to)) this.#load(level, from, to)
    const axis = /** @type {TimeAxis} */ (this.#axis) // loaded at the latest now
    this.#chart.timeScale().setVisibleLogicalRange({ from: axis.placeOf(from), to: axis.placeOf(to) })
    this.#asked = { from, to }
    requestAnimationFrame(() => {
      this.#asked = undefined // the chart asked for its turn in this frame before
    })
    this.#describe(from, to)
  }

  /**
   * Shows a round trip with some klines on both sides, and marks it.
   * @param {number} row
   */
  select(row) {
    const { entryTime, exitTime } = this.#data.trips
    const [entry, exit] = [entryTime[row] ?? 0, exitTime[row] ?? 0]
    const margin = Math.max(exit - entry, 20 * this.#data.klines.seconds)
    this.#marks.selected = row
    this.show(entry - margin, exit + margin)
  }

  #viewChanged() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#settle(), REST_MS)
  }

  /** Takes the klines that suit what is in view now. */
  #settle() {
    const { from, to } = this.view
    const bars = Math.max(30, this.#container.clientWidth / PIXELS_PER_KLINE)
    const level = this.#levels.fitting(to - from, bars)
    if (this.#axis?.level === level && this.#axis.covers(from, to)) this.#describe(from, to)
    else this.show(from, to)
  }

  /**
   * Gives the chart the klines of a span and of as much again on both sides.
   * @param {import('./kline-levels.js').Level} level
   * @param {number} from
   * @param {number} to
   */
  #load(level, from, to) {
    const width = to - from
    const start = Math.max(0, opensBefore(level, from - width) - 1)
    const end = Math.max(start + 1, Math.min(level.length, opensBefore(level, to + width) + 1))
    this.#axis = new TimeAxis(level, Math.min(start, level.length - 1), end)
    this.#klines.setData(candlesOf(this.#axis))
    this.#volume.setData(volumeBars(this.#axis, this.#palette))
    this.#curves.show(this.#axis)
    this.#profits.setData(this.#profitBars(this.#axis))
  }

  /**
   * What the round trips earned that were closed within each kline, or at the close of the last one.
   * @param {TimeAxis} axis
   */
  #profitBars(axis) {
    const { level, start, end } = axis
    const { exitTime, pnl } = this.#data.trips
    const sums = new Float64Array(end - start)
    const [from, to] = [level.time[start] ?? 0, (level.time[end - 1] ?? 0) + level.seconds]
    for (let row = 0; row < exitTime.length; row++) {
      const time = exitTime[row] ?? 0
      if (time < from || time > to) continue
      const place = opensBefore(level, time + 1e-6) - 1 - start
      sums[place] = (sums[place] ?? 0) + (pnl[row] ?? 0)
    }
    const { gain, loss } = this.#palette
    return Array.from(sums, (value, place) => {
      const time = /** @type {UTCTimestamp} */ (level.time[start + place] ?? 0)
      return value === 0 ? { time } : { time, value, color: faded(value < 0 ? loss : gain, 0.7) }
    })
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  #describe(from, to) {
    if (this.#axis === undefined) return
    this.#marks.show(this.#axis, from, to)
    this.#orders.show(this.#axis, from, to)
    const { dataset } = this.#container
    dataset.from = momentText(from)
    dataset.to = momentText(to)
    dataset.interval = intervalText(this.#axis.level.seconds)
    this.#writeLegend(this.#pointed)
  }

  /** @param {number} [time] open of a kline that the chart shows, in seconds */
  #writeLegend(time) {
    const level = this.#axis?.level ?? this.#levels.finest
    const { seconds: finest, originalSeconds } = this.#data.klines
    const isJoined = level.seconds === finest && finest > originalSeconds
    const origin = isJoined ? `, joined from ${intervalText(originalSeconds)}` : ''
    const interval = `Klines of ${intervalText(level.seconds)}${origin}`
    const row = time === undefined ? -1 : opensBefore(level, time + 1e-6) - 1
    if (time === undefined || level.time[row] !== time) {
      const { count, stride } = this.#marks
      const trips = `${fixedText(count, 0)} ${count === 1 ? 'round trip' : 'round trips'} in view`
      const drawn = stride === 1 ? '' : `, one in ${stride} drawn: zoom in to see all of them`
      const marks = [...this.#marks.keys, ...this.#orders.keys]
      this.#legend.replaceChildren(
        `${interval} · ${trips}${drawn}`,
        ...marks.map(([name, colour]) => keyOf(name, colour)),
        ...this.#curves.names(this.#palette),
      )
      return
    }
    const { pricePrecision } = this.#data.market
    /** @param {number} price */
    const priceText = price => fixedText(price, pricePrecision)
    const prices = /** @type {const} */ (['open', 'high', 'low', 'close'])
      .map(name => `${name} ${priceText(level[name][row] ?? 0)}`)
      .join(' ')
    this.#legend.replaceChildren(
      `${interval} · ${momentText(time)} · ${prices} · volume ${axisText(level.volume[row] ?? 0, 8)}`,
      ...this.#curves.legend(level, row, this.#palette),
      ...this.#orders
        .textsBetween(time, time + level.seconds, priceText)
        .slice(0, MOST_TEXTS)
        .map(text => {
          const span = document.createElement('span')
          span.textContent = text
          return span
        }),
    )
  }
}

/**
 * @param {TimeAxis} axis
 * @returns {CandlestickData<UTCTimestamp>[]}
 */
function candlesOf({ level, start, end }) {
  return Array.from({ length: end - start }, (_, place) => {
    const row = start + place
    return {
      time: /** @type {UTCTimestamp} */ (level.time[row] ?? 0),
      open: level.open[row] ?? 0,
      high: level.high[row] ?? 0,
      low: level.low[row] ?? 0,
      close: level.close[row] ?? 0,
    }
  })
}

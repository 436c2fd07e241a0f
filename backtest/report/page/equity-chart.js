/** @import { PageData } from '../page-data.ts' */
/** @import { Palette } from './palette.js' */
/** @import { UTCTimestamp } from 'lightweight-charts' */
import { moneyDecimals } from '../../../src/domain/numbers/money-decimals.ts'
import { moneyText } from './money-text.js'
import { chartOptions, faded } from './palette.js'
import { fixedText, momentText, percentText } from './texts.js'

/** Curves further apart than this are not seen side by side on a linear scale. */
const WIDE_SPREAD = 8

/** Equity, drawdown and exposure over the whole run, one below the other. */
export class EquityChart {
  #data
  #legend
  #chart
  #worth
  #held
  #drawdown
  #heldDrawdown
  #long
  #short
  #scaleModes
  #isLogarithmic = false
  /** @type {((time: number | undefined) => void) | undefined} takes the time under the crosshair, in seconds */
  onCrosshair

  /**
   * @param {typeof import('lightweight-charts')} library
   * @param {HTMLElement} container
   * @param {HTMLElement} legend
   * @param {PageData} data
   * @param {Palette} palette
   * @param {(time: number) => void} onClick takes the time that was clicked, in seconds
   */
  constructor(library, container, legend, data, palette, onClick) {
    this.#data = data
    this.#legend = legend
    const { time, worth, held, drawdown, heldDrawdown, long, short } = data.equity
    this.#chart = library.createChart(container, {
      autoSize: true,
      handleScroll: { vertTouchDrag: false, mouseWheel: false },
      handleScale: { mouseWheel: false },
      localization: { locale: 'en', timeFormatter: (/** @type {number} */ at) => momentText(at) },
      timeScale: {
        timeVisible: data.equity.seconds < 86_400,
        minBarSpacing: 0.01,
        lockVisibleTimeRangeOnResize: true,
      },
    })
    const money = {
      type: /** @type {const} */ ('custom'),
      minMove: 10 ** -moneyDecimals(0, data.quote),
      formatter: (/** @type {number} */ value) => moneyText(value, data.quote),
    }
    const share = {
      type: /** @type {const} */ ('custom'),
      minMove: 0.0001,
      formatter: (/** @type {number} */ value) => `${fixedText(value * 100, 0)}%`,
    }
    const side = {
      ...share,
      formatter: (/** @type {number} */ value) =>
        value === 0 ? '0%' : `${value > 0 ? 'long' : 'short'} ${fixedText(Math.abs(value) * 100, 0)}%`,
    }
    const quiet = { priceLineVisible: false, lastValueVisible: false }
    this.#held = this.#chart.addSeries(library.LineSeries, { ...quiet, priceFormat: money, lineWidth: 1 })
    this.#worth = this.#chart.addSeries(library.LineSeries, {
      ...quiet,
      priceFormat: money,
      lineWidth: 2,
      lastValueVisible: true,
    })
    this.#heldDrawdown = this.#chart.addSeries(
      library.LineSeries,
      { ...quiet, priceFormat: share, lineWidth: 1 },
      1,
    )
    this.#drawdown = this.#chart.addSeries(
      library.AreaSeries,
      { ...quiet, priceFormat: share, lineWidth: 1, invertFilledArea: true },
      1,
    )
    const lowest = short.some(value => value > 0) ? -1 : 0
    const stepped = {
      ...quiet,
      priceFormat: lowest < 0 ? side : share,
      lineWidth: /** @type {const} */ (1),
      lineType: library.LineType.WithSteps,
      autoscaleInfoProvider: () => ({ priceRange: { minValue: lowest, maxValue: 1 } }),
    }
    this.#long = this.#chart.addSeries(library.AreaSeries, stepped, 2)
    this.#short = this.#chart.addSeries(library.AreaSeries, { ...stepped, invertFilledArea: true }, 2)
    /** @param {readonly number[] | undefined} values */
    const points = values =>
      (values ?? []).map((value, place) => ({ time: /** @type {UTCTimestamp} */ (time[place] ?? 0), value }))
    this.#worth.setData(points(worth))
    this.#held.setData(points(held))
    this.#drawdown.setData(points(drawdown))
    this.#heldDrawdown.setData(points(heldDrawdown))
    this.#long.setData(points(long))
    if (lowest < 0) this.#short.setData(points(short.map(value => -value)))
    this.#scaleModes = library.PriceScaleMode
    this.isLogarithmic = spreadOf([...worth, ...(held ?? [])]) > WIDE_SPREAD
    const [equity, falls, exposure] = this.#chart.panes()
    equity?.setStretchFactor(5)
    falls?.setStretchFactor(2)
    exposure?.setStretchFactor(lowest < 0 ? 2 : 1)
    this.palette = palette
    this.showAll()
    this.#chart.subscribeCrosshairMove(event => {
      const time = event.time === undefined ? undefined : Number(event.time)
      this.#writeLegend(time)
      this.onCrosshair?.(time)
    })
    this.#chart.subscribeClick(event => {
      if (event.time !== undefined) onClick(Number(event.time))
    })
    this.#writeLegend()
  }

  /**
   * Puts the crosshair and the legend onto the point that a time belongs to, in seconds; takes it away without one.
   * @param {number | undefined} time
   */
  set crosshair(time) {
    const { time: times, worth } = this.#data.equity
    const place = time === undefined ? -1 : times.findIndex(at => at >= time)
    const at = /** @type {UTCTimestamp | undefined} */ (times[place])
    if (at === undefined) this.#chart.clearCrosshairPosition()
    else this.#chart.setCrosshairPosition(worth[place] ?? 0, at, this.#worth)
    this.#writeLegend(at)
  }

  /** Shows the whole run. */
  showAll() {
    this.#chart.timeScale().fitContent()
  }

  get isLogarithmic() {
    return this.#isLogarithmic
  }

  /** @param {boolean} value */
  set isLogarithmic(value) {
    this.#isLogarithmic = value
    const { Logarithmic, Normal } = this.#scaleModes
    this.#worth.priceScale().applyOptions({ mode: value ? Logarithmic : Normal })
  }

  /** @param {Palette} palette */
  set palette(palette) {
    const { accent, held, loss, gain } = palette
    this.#chart.applyOptions(chartOptions(palette))
    // Once on a page is enough.
    this.#chart.applyOptions({ layout: { attributionLogo: false } })
    this.#worth.applyOptions({ color: accent })
    this.#held.applyOptions({ color: held })
    this.#drawdown.applyOptions({
      lineColor: loss,
      topColor: faded(loss, 0.1),
      bottomColor: faded(loss, 0.4),
    })
    this.#heldDrawdown.applyOptions({ color: held })
    this.#long.applyOptions({ lineColor: gain, topColor: faded(gain, 0.5), bottomColor: faded(gain, 0.2) })
    this.#short.applyOptions({ lineColor: loss, topColor: faded(loss, 0.2), bottomColor: faded(loss, 0.5) })
  }

  /** @param {number} [at] a time of the curve; its end by default */
  #writeLegend(at) {
    const { equity, quote } = this.#data
    const place = at === undefined ? equity.time.length - 1 : equity.time.indexOf(at)
    const time = equity.time[place]
    if (time === undefined) return
    /** @param {number | undefined} value */
    const money = value => `${moneyText(value ?? 0, quote)} ${quote}`
    const held = equity.held === undefined ? [] : [keyed('held', `Buy and hold ${money(equity.held[place])}`)]
    this.#legend.replaceChildren(
      `${momentText(time)} UTC`,
      keyed('accent', `Equity ${money(equity.worth[place])}`),
      ...held,
      keyed('loss', `Drawdown ${percentText(equity.drawdown[place] ?? 0)}`),
      keyed('gain', `Long ${fixedText((equity.long[place] ?? 0) * 100, 0)}%`),
      ...(equity.short.some(value => value > 0)
        ? [keyed('loss', `Short ${fixedText((equity.short[place] ?? 0) * 100, 0)}%`)]
        : []),
    )
  }
}

/**
 * The largest of values ÷ the smallest; 0 where one is not above 0, which a logarithmic scale cannot show.
 * @param {readonly number[]} values
 */
function spreadOf(values) {
  const [smallest, largest] = [Math.min(...values), Math.max(...values)]
  return smallest > 0 ? largest / smallest : 0
}

/**
 * A text with a patch of the colour that it stands for.
 * @param {string} colour
 * @param {string} text
 */
function keyed(colour, text) {
  const span = document.createElement('span')
  span.className = `key ${colour}`
  span.textContent = text
  return span
}

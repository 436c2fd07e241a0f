/** @import { DrawnChart } from '../page-data.ts' */
/** @import { Level } from './kline-levels.js' */
/** @import { Palette } from './palette.js' */
/** @import { TimeAxis } from './time-axis.js' */
/** @import { IChartApi, ISeriesApi, SeriesType, UTCTimestamp } from 'lightweight-charts' */
import { moneyDecimals } from '../../../src/domain/numbers/money-decimals.ts'
import { moneyText } from './money-text.js'
import { faded, seriesColours } from './palette.js'
import { axisText, fixedText, percentText } from './texts.js'

/**
 * A curve beside the klines.
 * @typedef {object} Curve
 * @property {ISeriesApi<SeriesType>} series
 * @property {string} name
 * @property {(level: Level) => Float64Array | undefined} valuesIn
 * @property {(value: number) => string} text
 * @property {(palette: Palette) => string} colour
 */

/** The curves beside klines: indicators and own series on the price or in panes below it, then equity and drawdown. */
export class ChartSeries {
  /** @type {Curve[]} */
  #curves = []
  #panes = 1

  /**
   * @param {typeof import('lightweight-charts')} library
   * @param {IChartApi} chart
   * @param {DrawnChart & { readonly quote: string }} data
   */
  constructor(library, chart, { series, worth, drawdown, market, quote }) {
    const quiet = { priceLineVisible: false, lastValueVisible: false, lineWidth: /** @type {const} */ (1) }
    /** @type {Map<string, number>} */
    const panes = new Map()
    series.forEach(({ name, isPrice, step }, place) => {
      const family = name.split(' ')[0] ?? name
      const pane = isPrice ? 0 : (panes.get(family) ?? this.#panes++)
      if (!isPrice) panes.set(family, pane)
      const decimals = isPrice ? market.pricePrecision : Math.max(0, Math.round(-Math.log10(step)))
      const format = {
        type: /** @type {const} */ ('custom'),
        minMove: step,
        formatter: (/** @type {number} */ value) => axisText(value, decimals),
      }
      this.#curves.push({
        series: chart.addSeries(library.LineSeries, { ...quiet, priceFormat: format }, pane),
        name,
        valuesIn: level => level.series[place],
        text: value => fixedText(value, Math.min(decimals, isPrice ? decimals : digitsAfter(value))),
        colour: palette => seriesColours(palette)[place % seriesColours(palette).length] ?? palette.violet,
      })
    })
    if (worth !== undefined) {
      const format = {
        type: /** @type {const} */ ('custom'),
        minMove: 10 ** -moneyDecimals(0, quote),
        formatter: (/** @type {number} */ value) => moneyText(value, quote),
      }
      this.#curves.push({
        series: chart.addSeries(library.LineSeries, { ...quiet, priceFormat: format }, this.#panes++),
        name: 'equity',
        valuesIn: level => level.worth,
        text: value => moneyText(value, quote),
        colour: ({ accent }) => accent,
      })
    }
    if (drawdown !== undefined) {
      const format = {
        type: /** @type {const} */ ('custom'),
        minMove: 0.0001,
        formatter: (/** @type {number} */ value) => `${fixedText(value * 100, 1)}%`,
      }
      this.#curves.push({
        series: chart.addSeries(library.LineSeries, { ...quiet, priceFormat: format }, this.#panes++),
        name: 'drawdown',
        valuesIn: level => level.drawdown,
        text: value => percentText(value),
        colour: ({ loss }) => loss,
      })
    }
    chart.panes().forEach((pane, place) => {
      pane.setStretchFactor(place === 0 ? 5 : 1.4)
    })
  }

  /** Number of panes, that of the price among them. */
  get panes() {
    return this.#panes
  }

  /** @param {Palette} palette */
  set palette(palette) {
    for (const { series, colour } of this.#curves) series.applyOptions({ color: colour(palette) })
  }

  /** The pane of equity, whose bottom has the results of round trips; that of the price where there is none. */
  get equityPane() {
    const equity = this.#curves.find(({ name }) => name === 'equity')
    return equity === undefined ? 0 : equity.series.getPane().paneIndex()
  }

  /** @param {TimeAxis} axis */
  show({ level, start, end }) {
    for (const { series, valuesIn } of this.#curves) {
      const values = valuesIn(level)
      series.setData(
        Array.from({ length: end - start }, (_, place) => {
          const time = /** @type {UTCTimestamp} */ (level.time[start + place] ?? 0)
          const value = values?.[start + place] ?? Number.NaN
          return Number.isNaN(value) ? { time } : { time, value }
        }),
      )
    }
  }

  /**
   * Every curve with its value at a row, and a patch of its colour.
   * @param {Level} level
   * @param {number} row
   * @param {Palette} palette
   */
  legend(level, row, palette) {
    return this.#curves.map(curve => {
      const value = curve.valuesIn(level)?.[row] ?? Number.NaN
      return keyOf(
        curve.name,
        curve.colour(palette),
        `${curve.name} ${Number.isNaN(value) ? '–' : curve.text(value)}`,
      )
    })
  }

  /**
   * Every curve without a value.
   * @param {Palette} palette
   */
  names(palette) {
    return this.#curves.map(curve => keyOf(curve.name, curve.colour(palette)))
  }
}

/**
 * A text of a legend with a patch of its colour.
 * @param {string} name of the curve or the mark
 * @param {string} colour
 * @param {string} [text] default: the name
 */
export function keyOf(name, colour, text = name) {
  const span = document.createElement('span')
  span.className = 'key'
  span.style.setProperty('--key', colour)
  span.dataset.series = name
  span.textContent = text
  return span
}

/**
 * Bars of volume below klines, in the colours of their klines.
 * @param {TimeAxis} axis
 * @param {Palette} palette
 */
export function volumeBars({ level, start, end }, { rising, falling }) {
  return Array.from({ length: end - start }, (_, place) => {
    const row = start + place
    const isRising = (level.close[row] ?? 0) >= (level.open[row] ?? 0)
    return {
      time: /** @type {UTCTimestamp} */ (level.time[row] ?? 0),
      value: level.volume[row] ?? 0,
      color: faded(isRising ? rising : falling, 0.35),
    }
  })
}

/**
 * Decimals that show five digits of a value.
 * @param {number} value
 */
function digitsAfter(value) {
  return value === 0 ? 0 : Math.max(0, 4 - Math.floor(Math.log10(Math.abs(value))))
}

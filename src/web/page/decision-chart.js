/** @import { Answer } from './server-calls.js' */
/** @import { UTCTimestamp } from 'lightweight-charts' */

import { chartOptions, paletteNow } from '../../../backtest/report/page/palette.js'
import { axisText } from '../../../backtest/report/page/texts.js'

/** The script before this one makes the library global; nothing declares that to the type checker. */
const charts = /** @type {{ LightweightCharts: typeof import('lightweight-charts') }} */ (
  /** @type {unknown} */ (globalThis)
).LightweightCharts

const OUTCOMES = { ordered: 'circle', denied: 'square', signal: 'square' }

/** Klines with indicators, decisions, fills, and the prices at which orders wait. */
export class DecisionChart {
  #chart
  #klines
  #marks
  /** @type {Map<string, any>} by the name of an indicator or an order */
  #lines = new Map()
  #isFitted = false

  /**
   * @param {HTMLElement} container
   * @param {(time: number) => void} onTime takes the time of a kline that was clicked, ms UTC
   */
  constructor(container, onTime) {
    const { rising, falling } = paletteNow()
    const options = chartOptions(paletteNow())
    this.#chart = charts.createChart(container, {
      ...options,
      // The footer of the page names it; the logo would be markup and a style inside the page, which its policy forbids.
      layout: { ...options.layout, attributionLogo: false },
      autoSize: true,
      localization: { locale: 'en' },
      timeScale: { ...options.timeScale, timeVisible: true, secondsVisible: false },
    })
    this.#klines = this.#chart.addSeries(charts.CandlestickSeries, {
      priceFormat: {
        type: 'custom',
        minMove: 0.00000001,
        formatter: (/** @type {number} */ price) => axisText(price, 8),
      },
      ...{ upColor: rising, borderUpColor: rising, wickUpColor: rising },
      ...{ downColor: falling, borderDownColor: falling, wickDownColor: falling },
    })
    this.#marks = charts.createSeriesMarkers(this.#klines, [])
    this.#chart.subscribeClick(({ time }) => {
      if (time !== undefined) onTime(Number(time) * 1000)
    })
  }

  /** @param {Answer} view */
  show({ klines, indicators, decisions, fills, orders }) {
    const times = klines.map((/** @type {readonly number[]} */ row) => secondsOf(row[0] ?? 0))
    this.#klines.setData(
      klines.map(
        (
          /** @type {readonly number[]} */ [, open = 0, high = 0, low = 0, close = 0],
          /** @type {number} */ row,
        ) => ({
          time: times[row],
          ...{ open, high, low, close },
        }),
      ),
    )
    const { gain, loss, accent, held } = paletteNow()
    const shown = new Set()
    Object.entries(indicators).forEach(([name, values], index) => {
      shown.add(name)
      this.#line(
        name,
        { color: [accent, held, gain, loss][index % 4], title: name },
        times.flatMap((/** @type {UTCTimestamp} */ time, /** @type {number} */ row) =>
          values[row] === null ? [] : [{ time, value: values[row] }],
        ),
      )
    })
    for (const { clientOrderId, purpose, price, from, to } of orders) {
      const inside = times.filter(
        (/** @type {number} */ time) => time * 1000 >= from - 60_000 && time * 1000 <= to,
      )
      if (inside.length === 0) continue
      shown.add(clientOrderId)
      const color = purpose === 'takeProfit' ? gain : purpose === 'entry' ? accent : loss
      this.#line(
        clientOrderId,
        { color, lineStyle: 2 },
        inside.map((/** @type {UTCTimestamp} */ time) => ({ time, value: price })),
      )
    }
    for (const [name, line] of this.#lines) {
      if (shown.has(name)) continue
      this.#chart.removeSeries(line)
      this.#lines.delete(name)
    }
    this.#marks.setMarkers(
      [
        ...decisions.map((/** @type {Answer} */ one) => ({
          time: openOf(times, one.time - 1),
          position: /** @type {const} */ ('inBar'),
          shape: /** @type {Record<string, 'circle' | 'square'>} */ (OUTCOMES)[one.outcome] ?? 'circle',
          color: one.outcome === 'denied' ? loss : accent,
          text: one.outcome === 'denied' ? 'denied' : '',
        })),
        ...fills.map((/** @type {Answer} */ fill) => ({
          time: openOf(times, fill.time),
          position:
            fill.side === 'buy' ? /** @type {const} */ ('belowBar') : /** @type {const} */ ('aboveBar'),
          shape: fill.side === 'buy' ? /** @type {const} */ ('arrowUp') : /** @type {const} */ ('arrowDown'),
          color: fill.side === 'buy' ? gain : loss,
          text: `${fill.side} ${fill.price}`,
        })),
      ].sort((one, other) => Number(one.time) - Number(other.time)),
    )
    if (!this.#isFitted && klines.length > 0) {
      this.#isFitted = true
      this.#chart.timeScale().setVisibleLogicalRange({ from: klines.length - 80, to: klines.length + 4 })
    }
  }

  /** Takes the chart out of the page. */
  remove() {
    this.#chart.remove()
  }

  /**
   * @param {string} name
   * @param {object} options
   * @param {any} data
   */
  #line(name, options, data) {
    const line =
      this.#lines.get(name) ??
      this.#chart.addSeries(charts.LineSeries, {
        lineWidth: 1,
        priceLineVisible: false,
        lastValueVisible: false,
        ...options,
      })
    this.#lines.set(name, line)
    line.setData(data)
  }
}

/** @param {number} ms */
function secondsOf(ms) {
  return /** @type {UTCTimestamp} */ (Math.floor(ms / 1000))
}

/**
 * The kline in which a moment lies: the last that opened by then.
 * @param {readonly UTCTimestamp[]} times
 * @param {number} ms
 */
function openOf(times, ms) {
  return times.findLast(time => time * 1000 <= ms) ?? times[0] ?? secondsOf(ms)
}

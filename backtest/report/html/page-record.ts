import type { RecordedChart, RecordedSeries } from '../chart/recorded-chart.ts'
import type { PageChart, PageSeries } from '../page-data.ts'
import { pageColumn } from './page-column.ts'
import { type DrawnMarket, shownKlines } from './page-klines.ts'
import { isOnPriceScale } from './price-scale.ts'

/** Digits of the largest value of a series. */
const DIGITS = 6

const LEVEL_KINDS = { stop: 0, target: 1, entry: 2 } as const

const NOTHING: RecordedChart = { series: new Map(), levels: [], ends: [] }

/** The record of a book for its chart: series by kline, levels, and orders that came to nothing; `end` is ms UTC. */
export function pageRecord(
  market: DrawnMarket,
  most: number,
  { series, levels, ends }: RecordedChart = NOTHING,
  end: number,
): Pick<PageChart, 'series' | 'levels' | 'ends'> {
  const { openTime, close } = shownKlines(market, most).shown
  const texts = [...new Set(ends.map(({ text }) => text))]
  const places = new Map(texts.map((text, place) => [text, place]))
  return {
    series: [...series].map(([name, recorded]): PageSeries => {
      const values = byKline(recorded, openTime)
      const isPrice = isOnPriceScale(values, close)
      const largest = values.reduce((most, value) => (Math.abs(value) > most ? Math.abs(value) : most), 0)
      const digits = Math.max(0, DIGITS - 1 - Math.floor(Math.log10(largest || 1)))
      const decimals = isPrice ? Math.max(market.instrument.pricePrecision + 1, 0) : Math.min(12, digits)
      return { name, isPrice, ...pageColumn(values, decimals) }
    }),
    levels: {
      from: levels.map(({ from }) => from / 1000),
      to: levels.map(({ to = end }) => to / 1000),
      price: levels.map(({ price }) => price),
      kind: levels.map(({ kind }) => LEVEL_KINDS[kind]),
    },
    ends: {
      time: ends.map(({ time }) => time / 1000),
      price: ends.map(({ price = -1 }) => price),
      isDenied: ends.map(({ kind }) => (kind === 'denied' ? 1 : 0)),
      text: ends.map(({ text }) => places.get(text) ?? -1),
      texts,
    },
  }
}

/** The last value known by the close of each kline and after its open; `NaN` where there is none. */
function byKline({ time, value }: RecordedSeries, openTime: Float64Array): Float64Array {
  const values = new Float64Array(openTime.length).fill(Number.NaN)
  let place = 0
  for (let index = 0; index < time.length; index++) {
    const at = time[index] as number // inside the bounds
    while ((openTime[place + 1] ?? Number.POSITIVE_INFINITY) < at) place++
    if ((openTime[place] ?? Number.POSITIVE_INFINITY) < at) values[place] = value[index] as number // as above
  }
  return values
}

import { type Instrument, quantityUnit } from '../../../src/domain/instrument.ts'
import { quantityText, type Steps } from '../../../src/domain/numbers/grid.ts'
import { grouped } from '../../../src/domain/numbers/grouped.ts'
import { moneyDecimals } from '../../../src/domain/numbers/money-decimals.ts'
import type { Metric } from '../../metrics/metric.ts'
import type { MetricUnit } from '../metric-description.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Format of money: its asset; the decimals follow from each amount. */
export interface MoneyFormat {
  readonly asset: string
}

/** A figure for people, `n/a` where there is none. */
export function figureText(figure: Metric, unit: MetricUnit, money: MoneyFormat): string {
  return 'value' in figure ? valueText(figure.value, unit, money) : 'n/a'
}

/** A number for people: `1,234.56 USDT`, `12.34%`, `0.1234%`, `1.23`, `1,234` or `2d 3h`. */
export function valueText(value: number, unit: MetricUnit, money: MoneyFormat): string {
  switch (unit) {
    case 'percent':
      return `${fixed(value * 100, 2)}%`
    case 'rate':
      return `${fixed(value * 100, 4)}%`
    case 'ratio':
      return fixed(value, 2)
    case 'count':
      return fixed(value, 0)
    case 'money':
      return `${moneyFigure(value, money.asset)} ${money.asset}`
    case 'duration':
      return coarseDurationText(value)
  }
}

/** Money without its asset: `1,234.56`, or `0.0034` where two decimals would hide it. */
export function moneyFigure(value: number, asset: string): string {
  return fixed(value, moneyDecimals(value, asset))
}

/** A number with a fixed count of decimals and commas between thousands; without the sign of a rounded -0. */
export function fixed(value: number, decimals: number): string {
  const shown = grouped(value.toFixed(decimals))
  return /[1-9]/.test(shown) ? shown : shown.replace('-', '')
}

/** A quantity with its unit: `1,124 contracts`. */
export function quantityFigure(instrument: Instrument, quantity: Steps): string {
  return `${grouped(quantityText(instrument, quantity))} ${quantityUnit(instrument)}`
}

/** `2d 3h`, `3h 4m` or `5m`. */
export function coarseDurationText(ms: number): string {
  const [days, hours, minutes] = [ms / DAY_MS, (ms % DAY_MS) / HOUR_MS, (ms % HOUR_MS) / MINUTE_MS].map(
    Math.floor,
  )
  if (ms >= DAY_MS) return `${days}d ${hours}h`
  return ms >= HOUR_MS ? `${hours}h ${minutes}m` : `${minutes}m`
}

/** A moment to the minute, UTC: `2018-01-31 08:30`. */
export function minuteText(time: number): string {
  return new Date(time).toISOString().slice(0, 16).replace('T', ' ')
}

import { Decimal, decimalOf } from '../../domain/numbers/decimal.ts'
import { grouped } from '../../domain/numbers/grouped.ts'
import { moneyDecimals } from '../../domain/numbers/money-decimals.ts'

/** Notionals from here on are written without decimals, but for coins of high value. */
const ROUND_NOTIONAL = 1000

/** An exact amount of money, rounded for people: `4,985.90 USDT`; two significant digits where two decimals would hide it. */
export function moneyText(amount: string, asset: string): string {
  const value = decimalOf(amount)
  return `${grouped(value.toFixed(moneyDecimals(value.toNumber(), asset)))} ${asset}`
}

/** The same with its sign: `+5.02 USDT`. */
export function signedMoneyText(amount: string, asset: string): string {
  const text = moneyText(amount, asset)
  return decimalOf(amount).greaterThan(0) ? `+${text}` : text
}

/** A notional in quote: `4,986 USDT` from 1,000 on, `985.90 USDT` below. */
export function notionalText(amount: string, asset: string): string {
  const value = decimalOf(amount)
  if (moneyDecimals(ROUND_NOTIONAL, asset) > 2 || value.abs().lessThan(ROUND_NOTIONAL))
    return moneyText(amount, asset)
  return `${grouped(value.toFixed(0))} ${asset}`
}

/** A fraction as percent with its sign: `+0.10%`. */
export function signedPercentText(fraction: string): string {
  const percent = decimalOf(fraction).times(100)
  const text = grouped(percent.toFixed(2)).replace(/^-(?=0\.00$)/, '')
  return percent.greaterThan(0) && text !== '0.00' ? `+${text}%` : `${text}%`
}

/** A number as a person writes it: `58,000.5`. */
export function numberText(value: number): string {
  return Number.isFinite(value) ? grouped(new Decimal(value).toFixed()) : String(value)
}

/** A fraction as percent without trailing zeros: `1.5%`. */
export function percentText(fraction: number): string {
  return `${grouped(new Decimal(fraction).times(100).toDecimalPlaces(6).toFixed())}%`
}

/** A length of time: `500 ms`, `45 s`, `30 min`, `2 h 5 min`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  const rest = minutes % 60
  return rest === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${rest} min`
}

/** An ISO time without its T and milliseconds: `2026-01-01 00:30:00Z`. */
export function momentText(iso: string): string {
  return iso.replace('T', ' ').replace(/\.\d+(?=Z$)/, '')
}

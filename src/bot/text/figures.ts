import { Decimal, decimalOf } from '../../domain/numbers/decimal.ts'

/** Decimals of money; quotes that are coins of high value need more. */
const MONEY_DECIMALS = 2
const COIN_DECIMALS = 8
const COINS: ReadonlySet<string> = new Set(['BTC', 'ETH', 'BNB'])
/** Notionals from here on are written without decimals. */
const ROUND_NOTIONAL = 1000

/** Plain decimal text with a comma between thousands: `12,345.60`. */
export function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.')
  const separated = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? separated : `${separated}.${fraction}`
}

/** An exact amount of money, rounded for people: `4,985.90 USDT`; two significant digits where two decimals would hide it. */
export function moneyText(amount: string, asset: string): string {
  return `${grouped(rounded(decimalOf(amount), asset))} ${asset}`
}

/** The same with its sign: `+5.02 USDT`. */
export function signedMoneyText(amount: string, asset: string): string {
  const text = moneyText(amount, asset)
  return decimalOf(amount).greaterThan(0) ? `+${text}` : text
}

/** A notional in quote: `4,986 USDT` from 1,000 on, `985.90 USDT` below. */
export function notionalText(amount: string, asset: string): string {
  const value = decimalOf(amount)
  if (COINS.has(asset) || value.abs().lessThan(ROUND_NOTIONAL)) return moneyText(amount, asset)
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

function rounded(value: Decimal, asset: string): string {
  const decimals = COINS.has(asset) ? COIN_DECIMALS : MONEY_DECIMALS
  if (value.isZero() || value.abs().greaterThanOrEqualTo(new Decimal(10).pow(1 - decimals)))
    return value.toFixed(decimals)
  const short = value.toSignificantDigits(2)
  return short.toFixed(Math.max(decimals, short.decimalPlaces()))
}

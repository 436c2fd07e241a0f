/** @import { Answer } from './server-calls.js' */
import { moneyText } from '../../../backtest/report/page/money-text.js'
import { WATCHED_WORDS } from '../../bot/text/order-status-text.ts'
import { grouped, withCommas } from '../../domain/numbers/grouped.ts'
import { moneyDecimals } from '../../domain/numbers/money-decimals.ts'
import { ORDER_WORDS } from '../../domain/orders/order-words.ts'
import { element } from './elements.js'

/**
 * A moment in UTC, to the second, as every screen writes it: with its date and without its zone, which the head of the page names.
 * @param {number} ms
 */
export function timeText(ms) {
  return plainTimes(new Date(ms).toISOString())
}

/**
 * A text of the bot with its moments as this page writes them: `2026-01-01 00:30:00` of `2026-01-01T00:30:00.000Z`.
 * @param {string} text
 */
export function plainTimes(text) {
  return text.replace(/(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(?:Z| UTC)/g, '$1 $2')
}

/**
 * Exact text of an amount of money with commas between thousands, rounded as the log does: half away from zero.
 * @param {string} text
 * @param {string} asset
 */
export function exactMoney(text, asset) {
  const decimals = moneyDecimals(Number(text), asset)
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const isUp = (fraction[decimals] ?? '0') >= '5'
  const kept = fraction.slice(0, decimals).padEnd(decimals, '0')
  const digits = String(BigInt(`${whole}${kept}`) + (isUp ? 1n : 0n)).padStart(kept.length + 1, '0')
  const [units, rest] = [
    digits.slice(0, digits.length - kept.length),
    digits.slice(digits.length - kept.length),
  ]
  const sign = text.startsWith('-') && /[1-9]/.test(digits) ? '-' : ''
  return `${sign}${grouped(units)}.${rest}`
}

/**
 * A number of things: `1,234`.
 * @param {number} count
 */
export function countText(count) {
  return grouped(String(count))
}

/**
 * A purpose, type or state of an order, or a rule that denied it, in words.
 * @param {string} term
 */
export function termText(term) {
  return ORDER_WORDS[term] ?? term
}

/**
 * The status of an order in words, as the log has it.
 * @param {Answer} order
 */
export function orderStatus({ status, watchedBy }) {
  return (watchedBy === undefined ? undefined : WATCHED_WORDS[status]) ?? termText(status)
}

/**
 * The quantity of a position with its unit, of contracts also in base.
 * @param {Answer} position
 */
export function holdingText({ quantity, unit, base, baseAsset }) {
  if (unit !== 'contracts') return withCommas(`${quantity} ${unit}`)
  return withCommas(`${quantity} ${quantity === '1' ? 'contract' : unit} (${base} ${baseAsset})`)
}

/**
 * A result in the colour of its sign.
 * @param {number} value
 * @param {string} asset
 * @param {string} [unit] empty where the asset stands beside it
 */
export function result(value, asset, unit = asset) {
  const text = `${value > 0 ? '+' : ''}${moneyText(value, asset)}`
  return element('span', { class: value > 0 ? 'gain' : value < 0 ? 'loss' : undefined }, `${text} ${unit}`)
}

/**
 * The value of an indicator, short.
 * @param {unknown} value
 * @returns {string}
 */
export function valueText(value) {
  if (typeof value === 'number') return Number.isFinite(value) ? String(Number(value.toPrecision(8))) : '–'
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([name, part]) => `${name} ${valueText(part)}`)
      .join(', ')
  return value === undefined || value === null ? '–' : String(value)
}

import { ORDER_WORDS } from '../../domain/orders/order-words.ts'
import { element } from './elements.js'

/**
 * A moment in UTC, to the second.
 * @param {number} ms
 */
export function timeText(ms) {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}

/**
 * Exact text of a number with commas between thousands and at most `decimals` decimals, rounded as the log does: half away
 * from zero.
 * @param {string} text
 * @param {number} [decimals]
 */
export function groupedText(text, decimals = 2) {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const isUp = (fraction[decimals] ?? '0') >= '5'
  const kept = fraction.slice(0, decimals)
  const digits = String(BigInt(`${whole}${kept}`) + (isUp ? 1n : 0n)).padStart(kept.length + 1, '0')
  const [units, rest] = [
    digits.slice(0, digits.length - kept.length),
    digits.slice(digits.length - kept.length),
  ]
  const sign = text.startsWith('-') && /[1-9]/.test(digits) ? '-' : ''
  const grouped = `${sign}${units.replace(/\B(?=(\d{3})+$)/g, ',')}`
  return kept === '' ? grouped : `${grouped}.${rest.padEnd(Math.min(2, decimals), '0')}`
}

/**
 * Decimals of a column of money: two, or so many that the largest amount has three digits.
 * @param {readonly (string | number)[]} amounts
 */
export function moneyDecimals(amounts) {
  const largest = Math.max(0, ...amounts.map(amount => Math.abs(Number(amount))))
  return largest === 0 ? 2 : Math.min(8, Math.max(2, 2 - Math.floor(Math.log10(largest))))
}

/**
 * A purpose, type or state of an order, or a rule that denied it, in words.
 * @param {string} term
 */
export function termText(term) {
  return ORDER_WORDS[term] ?? term
}

/**
 * A result in the colour of its sign.
 * @param {number} value
 * @param {string} unit
 * @param {number} [decimals]
 */
export function result(value, unit, decimals = 2) {
  const text = value.toLocaleString('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: 'exceptZero',
  })
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

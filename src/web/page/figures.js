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
 * Exact text of a number with commas between thousands and at most `decimals` decimals, cut.
 * @param {string} text
 * @param {number} [decimals]
 */
export function groupedText(text, decimals = 2) {
  const [whole = '', fraction = ''] = text.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return decimals === 0 || fraction === ''
    ? grouped
    : `${grouped}.${fraction.slice(0, decimals).padEnd(Math.min(2, decimals), '0')}`
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

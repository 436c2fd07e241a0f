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
 * A result in the colour of its sign.
 * @param {number} value
 * @param {string} unit
 */
export function result(value, unit) {
  const text = value.toLocaleString('en', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
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

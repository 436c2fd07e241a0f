/**
 * A number with a fixed count of decimals, and commas between thousands.
 * @param {number} value
 * @param {number} decimals
 */
export function fixedText(value, decimals) {
  const text = value.toLocaleString('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return /[1-9]/.test(text) ? text : text.replace('-', '')
}

/**
 * A price beside an axis: as many decimals as make five digits, so that a phone has room for more than the axis.
 * @param {number} price
 * @param {number} precision
 */
export function axisText(price, precision) {
  const digitsBefore = price === 0 ? 0 : Math.floor(Math.log10(Math.abs(price)))
  return fixedText(price, Math.max(0, Math.min(precision, 4 - digitsBefore)))
}

/**
 * A fraction as a percentage, with its sign.
 * @param {number} value
 * @param {number} [decimals]
 */
export function percentText(value, decimals = 2) {
  return `${value > 0 ? '+' : ''}${fixedText(value * 100, decimals)}%`
}

/**
 * A moment in UTC, to the minute.
 * @param {number} seconds
 */
export function momentText(seconds) {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')
}

/**
 * A length of time: `2d 3h`, `3h 4m` or `5m`.
 * @param {number} seconds
 */
export function lengthText(seconds) {
  const [days, hours, minutes] = [seconds / 86_400, (seconds % 86_400) / 3600, (seconds % 3600) / 60].map(
    Math.floor,
  )
  if (seconds >= 86_400) return `${days}d ${hours}h`
  return seconds >= 3600 ? `${hours}h ${minutes}m` : `${minutes}m`
}

/**
 * The length of a kline in the usual short way: `1m`, `4h`, `1d`.
 * @param {number} seconds
 */
export function intervalText(seconds) {
  if (seconds % 86_400 === 0) return `${seconds / 86_400}d`
  return seconds % 3600 === 0 ? `${seconds / 3600}h` : `${seconds / 60}m`
}

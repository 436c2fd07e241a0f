/** @import { PriceChart } from './price-chart.js' */

const HOUR = 3600
const DAY = 24 * HOUR
/** A span of fewer klines shows nothing. */
const FEWEST_KLINES = 20
/** Spans that can be chosen, in seconds. */
const RANGES = {
  '1H': HOUR,
  '6H': 6 * HOUR,
  '1D': DAY,
  '1W': 7 * DAY,
  '1M': 30 * DAY,
  '3M': 91 * DAY,
  '1Y': 365 * DAY,
}

/**
 * Buttons for spans that are shorter than the run; each ends at the latest kline.
 * @param {PriceChart} price
 */
export function rangeButtons(price) {
  const { from, to } = price.span
  const shorter = Object.entries(RANGES).filter(
    ([, seconds]) => seconds < to - from && seconds >= FEWEST_KLINES * price.klineSeconds,
  )
  return [
    ...shorter.map(([name, seconds]) =>
      buttonOf(name, () => price.show(price.span.to - seconds, price.span.to)),
    ),
    buttonOf('All', () => price.showAll()),
  ]
}

/**
 * @param {string} text
 * @param {() => void} onClick
 */
export function buttonOf(text, onClick) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('click', onClick)
  return button
}

/**
 * The colours of charts, from the style of the page: they follow light and dark.
 * @typedef {object} Palette
 * @property {string} text
 * @property {string} muted
 * @property {string} line
 * @property {string} card
 * @property {string} accent
 * @property {string} gain
 * @property {string} loss
 * @property {string} held
 * @property {string} rising
 * @property {string} falling
 * @property {string} warning
 * @property {string} violet
 * @property {string} teal
 */

/**
 * Reads the colours as they are now.
 * @returns {Palette}
 */
export function paletteNow() {
  const style = getComputedStyle(document.documentElement)
  /** @param {string} name */
  const colour = name => style.getPropertyValue(`--${name}`).trim()
  return {
    text: colour('text'),
    muted: colour('muted'),
    line: colour('line'),
    card: colour('card'),
    accent: colour('accent'),
    gain: colour('gain'),
    loss: colour('loss'),
    held: colour('held'),
    rising: colour('rising'),
    falling: colour('falling'),
    warning: colour('warning'),
    violet: colour('violet'),
    teal: colour('teal'),
  }
}

/**
 * A `#rrggbb` colour with an opacity from 0 to 1.
 * @param {string} colour
 * @param {number} opacity
 */
export function faded(colour, opacity) {
  return `${colour}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')}`
}

/**
 * Colours of indicators and own series, one after the other: none of equity's and of what is held instead.
 * @param {Palette} palette
 */
export function seriesColours({ violet, teal, warning, muted }) {
  return [violet, teal, warning, muted]
}

/**
 * What all charts of the page have in common.
 * @param {Palette} palette
 */
export function chartOptions({ muted, line, card }) {
  return {
    layout: {
      background: { color: card },
      textColor: muted,
      fontFamily: 'system-ui, sans-serif',
      fontSize: 11,
      panes: { separatorColor: line, separatorHoverColor: line, enableResize: false },
    },
    grid: { vertLines: { color: faded(line, 0.5) }, horzLines: { color: faded(line, 0.5) } },
    // A label that has no room is left out, not cut.
    rightPriceScale: { borderColor: line, entireTextOnly: true },
    timeScale: { borderColor: line },
    crosshair: {
      vertLine: { color: muted, labelBackgroundColor: muted },
      horzLine: { color: muted, labelBackgroundColor: muted },
    },
  }
}

/** @import { PageDrawdowns } from '../study-page-data.ts' */
import { fixedText } from '../../report/page/texts.js'
import { barLayer, lineLayer } from './layers.js'
import { writeLegend } from './page-table.js'
import { Plot } from './plot.js'
import { axisAround } from './scales.js'

const BARS = 40

/**
 * Distribution of resampled drawdowns, with the actual one as a line.
 * @param {HTMLElement} container
 * @param {PageDrawdowns} given
 */
export function showDrawdowns(container, { title, actual, drawdowns, key }) {
  const [least, most] = [Math.min(actual, drawdowns[0] ?? 0), Math.max(actual, drawdowns.at(-1) ?? 0)]
  const width = (most - least) / BARS || 0.001
  const counts = new Uint32Array(BARS)
  for (const drawdown of drawdowns) {
    const bar = Math.min(BARS - 1, Math.floor((drawdown - least) / width))
    counts[bar] = (counts[bar] ?? 0) + 1
  }
  const shares = [...counts].map(count => count / drawdowns.length)
  const bars = shares.map(
    (share, bar) => /** @type {const} */ ([least + bar * width, least + (bar + 1) * width, share]),
  )
  const highest = Math.max(...shares) * 1.08
  const deeper = drawdowns.filter(drawdown => drawdown > actual + 1e-12).length / drawdowns.length
  const actualText = `${fixedText(actual * 100, 1)}%`
  const deeperText = `${fixedText(deeper * 100, 1)}% are deeper`
  /** @param {number} value */
  const percent = value => fixedText(value * 100, 0)
  new Plot(container).show({
    across: axisAround(least, most, 'largest drawdown (%)', percent),
    up: {
      from: 0,
      to: highest,
      label: 'Share of sequences (%)',
      text: (value, step) => fixedText(value * 100, step < 0.01 ? 1 : 0),
    },
    layers: [
      barLayer(bars, 'held'),
      lineLayer(
        [
          [actual, 0],
          [actual, highest],
        ],
        'loss',
      ),
    ],
    summary: `${title}: the actual drawdown is ${actualText}; ${deeperText}.`,
  })
  const legend = document.querySelector(`[data-legend="${key}"]`)
  if (legend instanceof HTMLElement)
    writeLegend(legend, [
      ['loss', `Actual ${actualText}`],
      ['held', `${fixedText(drawdowns.length, 0)} sequences; ${deeperText}`],
    ])
}

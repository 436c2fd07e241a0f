/** @import { PageWalkForward, PageWindow } from '../study-page-data.ts' */
/** @import { Area } from './plot.js' */
import { faded } from '../../report/page/palette.js'
import { elementOf } from '../../report/page/read-data.js'
import { fixedText, percentText } from '../../report/page/texts.js'
import { dotLayer, lineLayer } from './layers.js'
import { writeLegend } from './page-table.js'
import { Plot } from './plot.js'
import { axisAround, decimalsFor } from './scales.js'

/** Length of a UTC day. */
export const DAY_MS = 86_400_000

/**
 * The UTC day of a time.
 * @param {number} time
 */
export function dayText(time) {
  return new Date(time).toISOString().slice(0, 10)
}

/** @param {PageWalkForward} walk */
export function showWalkForward(walk) {
  showEquity(walk)
  for (const container of document.querySelectorAll('[data-drift]')) {
    if (container instanceof HTMLElement) showDrift(walk, container)
  }
  showScatter(walk)
}

/** @param {PageWalkForward} walk */
function timeAxis({ windows }) {
  const [first, last] = [windows[0]?.testFrom ?? 0, windows.at(-1)?.testTo ?? 1]
  return {
    ...{ from: first, to: last, label: 'days of the tests, UTC' },
    text: dayText,
  }
}

/** @param {PageWalkForward} walk */
function showEquity(walk) {
  const { firstDay, equity, windows } = walk
  /** @type {(readonly [number, number])[]} */
  const points = [
    [firstDay * DAY_MS, 1],
    ...equity.map((worth, day) => /** @type {const} */ ([(firstDay + day + 1) * DAY_MS, worth])),
  ]
  const worths = points.map(([, worth]) => worth)
  const end = (equity.at(-1) ?? 1) - 1
  new Plot(elementOf('stitched')).show({
    across: timeAxis(walk),
    up: axisAround(
      Math.min(...worths),
      Math.max(...worths),
      'Equity out of sample (start = 1)',
      (value, step) => fixedText(value, decimalsFor(step)),
    ),
    layers: [area => drawWindows(area, windows), lineLayer(points, end < 0 ? 'loss' : 'gain')],
    summary: `Equity of ${windows.length} tests one after another: ${percentText(end)} at the end.`,
  })
  writeLegend(elementOf('stitched-legend'), [
    [end < 0 ? 'loss' : 'gain', `Out of sample ${percentText(end)}`],
    ['held', `Every other of ${windows.length} tests is shaded`],
  ])
}

/**
 * @param {Area} area
 * @param {readonly PageWindow[]} windows
 */
function drawWindows({ context, palette, x, top, height }, windows) {
  context.fillStyle = faded(palette.held, 0.13)
  windows.forEach(({ testFrom, testTo }, place) => {
    if (place % 2 === 1) context.fillRect(x(testFrom), top, x(testTo) - x(testFrom), height)
  })
}

/**
 * The value of one parameter in each window.
 * @param {PageWalkForward} walk
 * @param {HTMLElement} container
 */
function showDrift(walk, container) {
  const place = Number(container.dataset.drift)
  const { windows } = walk
  const name = walk.parameters[place] ?? ''
  const chosen = windows.map(window => window.chosen?.[place])
  const isNumeric = chosen.every(value => value === undefined || typeof value === 'number')
  const names = [...new Set(chosen.filter(value => value !== undefined))].sort()
  /** @param {number | string} value */
  const heightOf = value => (typeof value === 'number' && isNumeric ? value : names.indexOf(value))
  const heights = chosen.map(value => (value === undefined ? undefined : heightOf(value)))
  const known = heights.filter(height => height !== undefined)
  const up = axisAround(Math.min(...known), Math.max(...known), `${name} chosen`, (value, step) =>
    isNumeric ? fixedText(value, decimalsFor(step)) : String(names[value] ?? ''),
  )
  new Plot(container).show({
    across: timeAxis(walk),
    up: isNumeric ? up : { ...up, from: -0.5, to: names.length - 0.5, ticks: names.map((_, one) => one) },
    layers: [
      area => drawWindows(area, windows),
      ...windows.flatMap(({ testFrom, testTo }, index) => {
        const height = heights[index]
        return height === undefined
          ? []
          : [
              lineLayer(
                [
                  [testFrom, height],
                  [testTo, height],
                ],
                'accent',
              ),
            ]
      }),
    ],
    summary: `${name} chosen in each window: ${chosen.map(value => value ?? 'none').join(', ')}.`,
  })
}

/** @param {PageWalkForward} walk */
function showScatter({ windows }) {
  const points = windows.flatMap(({ inSample, outOfSample }) =>
    inSample === null || outOfSample === null ? [] : [/** @type {const} */ ([inSample, outOfSample])],
  )
  const inSamples = points.map(([value]) => value)
  const outOfSamples = points.map(([, value]) => value)
  /**
   * @param {number} value
   * @param {number} step
   */
  const text = (value, step) => fixedText(value * 100, decimalsFor(step * 100))
  const across = axisAround(
    Math.min(0, ...inSamples),
    Math.max(0, ...inSamples),
    'in sample, mean daily return (%)',
    text,
  )
  const up = axisAround(
    Math.min(0, ...outOfSamples),
    Math.max(0, ...outOfSamples),
    'Out of sample, mean daily return (%)',
    text,
  )
  const kept = points.filter(([, value]) => value > 0).length
  new Plot(elementOf('window-scatter')).show({
    ...{ across, up },
    layers: [
      lineLayer(
        [
          [across.from, 0],
          [across.to, 0],
        ],
        'muted',
      ),
      lineLayer(
        [
          [across.from, across.from],
          [across.to, across.to],
        ],
        'held',
        { isDashed: true },
      ),
      dotLayer(points, 'accent'),
    ],
    summary: `Mean daily return of ${windows.length} windows, in sample against out of sample: ${kept} earn out of sample.`,
  })
  writeLegend(elementOf('window-scatter-legend'), [
    ['accent', `Windows; ${kept} of ${points.length} earn out of sample`],
    ['held', 'Dashed: everything kept'],
  ])
}

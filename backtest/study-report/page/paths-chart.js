/** @import { PagePaths } from '../study-page-data.ts' */
import { elementOf } from '../../report/page/read-data.js'
import { fixedText, percentText } from '../../report/page/texts.js'
import { lineLayer } from './layers.js'
import { writeLegend } from './page-table.js'
import { Plot } from './plot.js'
import { axisAround, decimalsFor } from './scales.js'
import { DAY_MS, dayText } from './walk-charts.js'

/**
 * Equity along each path, those that lose in the colour of losses, with the one of the middle return drawn thick.
 * @param {PagePaths} paths
 */
export function showPaths({ firstDay, equity }) {
  const ordered = equity.toSorted((left, right) => pathEnd(left) - pathEnd(right))
  const middle = ordered[Math.floor((ordered.length - 1) / 2)] ?? []
  const [least, most] = equityRange(equity)
  const losing = equity.filter(path => pathEnd(path) < 1).length
  /**
   * @param {readonly number[]} path
   * @returns {(readonly [number, number])[]}
   */
  const pointsOf = path => [
    [firstDay * DAY_MS, 1],
    ...path.map((worth, day) => /** @type {const} */ ([(firstDay + day + 1) * DAY_MS, worth])),
  ]
  new Plot(elementOf('path-chart')).show({
    across: {
      ...{ from: firstDay * DAY_MS, to: (firstDay + middle.length) * DAY_MS, label: 'days, UTC' },
      text: dayText,
    },
    up: axisAround(least, most, 'Equity out of sample (start = 1)', (value, step) =>
      fixedText(value, decimalsFor(step)),
    ),
    layers: [
      ...ordered.map(path =>
        lineLayer(pointsOf(path), pathEnd(path) < 1 ? 'loss' : 'gain', { isThin: true }),
      ),
      lineLayer(pointsOf(middle), 'text'),
    ],
    summary: `Equity of ${equity.length} paths, each through all days: ${percentText(pathEnd(middle) - 1)} at the end of the middle one; ${losing} lose.`,
  })
  writeLegend(elementOf('path-legend'), [
    ['text', `Middle path ${percentText(pathEnd(middle) - 1)}`],
    ['gain', `${equity.length - losing} paths that end at or above their start`],
    ['loss', `${losing} that lose`],
  ])
}

/** @param {readonly number[]} path */
function pathEnd(path) {
  return path.at(-1) ?? 1
}

/**
 * The lowest and the highest equity of any path, 1 among them.
 * @param {readonly (readonly number[])[]} equity
 */
function equityRange(equity) {
  let [least, most] = [1, 1]
  for (const path of equity) {
    for (const worth of path) {
      if (worth < least) least = worth
      if (worth > most) most = worth
    }
  }
  return /** @type {const} */ ([least, most])
}

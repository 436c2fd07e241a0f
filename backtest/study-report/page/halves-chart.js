/** @import { Columns } from './columns.js' */
import { elementOf } from '../../report/page/read-data.js'
import { fixedText } from '../../report/page/texts.js'
import { lineLayer, pointLayer } from './layers.js'
import { writeLegend } from './page-table.js'
import { Plot } from './plot.js'
import { figureAxis } from './trial-chart.js'

/**
 * Every trial by its Sharpe ratio in both halves of the days.
 * @param {Columns} columns
 */
export async function showHalves(columns) {
  const [older, newer] = await Promise.all([columns.column('olderSharpe'), columns.column('newerSharpe')])
  const { count, quote } = columns
  const correlation = correlationOf(count, older.at, newer.at)
  const across = figureAxis(older, count, quote)
  const up = figureAxis(newer, count, quote)
  const [from, to] = [Math.max(across.from, up.from), Math.min(across.to, up.to)]
  new Plot(elementOf('halves-chart')).show({
    ...{ across, up },
    layers: [
      pointLayer(count, older.at, newer.at),
      lineLayer(
        to > from
          ? [
              [from, from],
              [to, to],
            ]
          : [],
        'held',
        { isDashed: true },
      ),
    ],
    summary: `Sharpe ratio of the newer half of the days against the older half: correlation ${correlation}.`,
  })
  writeLegend(elementOf('halves-legend'), [
    ['accent', `Trials; correlation ${correlation}`],
    ['held', 'Dashed: as good in both halves'],
  ])
}

/**
 * @param {number} count
 * @param {(row: number) => number} first
 * @param {(row: number) => number} second
 */
function correlationOf(count, first, second) {
  let [known, sumX, sumY, sumXX, sumYY, sumXY] = [0, 0, 0, 0, 0, 0]
  for (let row = 0; row < count; row++) {
    const [x, y] = [first(row), second(row)]
    if (Number.isNaN(x) || Number.isNaN(y)) continue
    known++
    sumX += x
    sumY += y
    sumXX += x * x
    sumYY += y * y
    sumXY += x * y
  }
  const spread = Math.sqrt((known * sumXX - sumX ** 2) * (known * sumYY - sumY ** 2))
  return spread > 0
    ? fixedText((known * sumXY - sumX * sumY) / spread, 2)
    : 'undefined, because too few trials differ'
}

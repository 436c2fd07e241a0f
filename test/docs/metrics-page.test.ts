import { describe, expect, it } from 'vitest'
import type { Metric } from '../../backtest/metrics/metric.ts'
import { METRIC_GROUPS } from '../../backtest/report/text/metric-group.ts'
import { curveOf } from '../backtest/metrics/curve.ts'
import { hourlyMarket } from '../backtest/metrics/market.ts'
import { metricsFor } from '../backtest/metrics/run.ts'
import { sampleReport } from '../backtest/report/sample-report.ts'
import { namesOf, rowsOf } from './page-tables.ts'

const PAGE = 'metrics.md'

describe('the page of metrics', () => {
  it.each(METRIC_GROUPS)('lists every figure of $title with its label and unit', ({ title, metrics }) => {
    expect(namesOf(PAGE, title)).toEqual(metrics.map(({ key }) => key))
    const said = rowsOf(PAGE, title).map(([, label, unit]) => [label, unit])
    expect(said).toEqual(metrics.map(({ label, unit }) => [label, unit]))
  })

  it('says of every figure that a run of two days lacks when it is lacking, and has a formula for all', () => {
    const { figures } = sampleReport().metrics
    const rows = METRIC_GROUPS.flatMap(({ title }) => rowsOf(PAGE, title))
    expect(rows).toHaveLength(Object.keys(figures).length)
    for (const [name = '', , , formula, lack] of rows) {
      const figure: Metric = figures[name.slice(1, -1) as keyof typeof figures]
      expect(formula).not.toBe('')
      if (!('value' in figure)) expect(lack, name).not.toBe('never')
    }
  })

  it.each([
    ['ruin', 'equity fell to zero', '1h'],
    ['klines longer than a day', 'needs klines of at most one day, has 1w', '1w'],
  ] as const)('names %s wherever that leaves no figure', (lack, reason, interval) => {
    const curve = curveOf(100, [
      [200, interval === '1h' ? 0 : 90],
      [365, interval === '1h' ? 0 : 120],
    ])
    const markets = [{ ...hourlyMarket([]), interval }]
    const { figures } = metricsFor({ curve, markets, benchmark: curve })
    const rows = new Map(METRIC_GROUPS.flatMap(({ title }) => rowsOf(PAGE, title)).map(row => [row[0], row]))
    const lackOf = (name: string): string =>
      rows.get(name)?.[4]?.replace(/^as (`\w+`)/, (_, as) => lackOf(as)) ?? ''
    const lacking = Object.entries(figures).filter(
      ([, figure]: [string, Metric]) => 'notAvailable' in figure && figure.notAvailable === reason,
    )
    expect(lacking.length).toBeGreaterThan(15)
    for (const [name] of lacking)
      expect(lackOf(`\`${name}\``), name).toMatch(new RegExp(`daily returns|${lack}`))
  })
})

import { describe, expect, it } from 'vitest'
import type { Metric } from '../../backtest/metrics/metric.ts'
import { METRIC_GROUPS } from '../../backtest/report/text/metric-group.ts'
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
})

import { describe, expect, it } from 'vitest'
import { criterionFigure } from '../../../src/cli/research/validate-report.ts'

const criterion = { key: 'p', title: 'p', figure: { value: 0 }, side: 'below', threshold: 0.05 } as const

describe('a figure of a criterion', () => {
  it('has more decimals where it would look like its threshold', () => {
    const number = (value: number) => criterionFigure(value, { ...criterion, unit: 'number' })
    expect([0.0504, 0.05004, 0.04996, 0.05, 0.123].map(number)).toEqual([
      ...['0.0504', '0.05004', '0.04996', '0.050', '0.123'],
    ])
    const percent = (value: number) =>
      criterionFigure(value, { ...criterion, unit: 'percent', threshold: 0.5 })
    expect([0.5004, 0.5, 0.614].map(percent)).toEqual(['50.04%', '50.0%', '61.4%'])
  })

  it('that is a probability is never 0, unless the threshold is as small', () => {
    const below = (threshold: number) => (value: number) =>
      criterionFigure(value, { ...criterion, unit: 'probability', threshold })
    expect([0, 0.0009, 0.001, 0.05].map(below(0.05))).toEqual(['< 0.001', '< 0.001', '0.001', '0.050'])
    expect([0.0003, 0.0005].map(below(0.0005))).toEqual(['0.000', '0.001'])
  })
})

import { describe, expect, it } from 'vitest'
import {
  outOfSampleOf,
  walkForwardSentences,
  windowTable,
} from '../../../src/cli/research/walk-forward-report.ts'
import type { WalkForwardDone } from '../../../src/cli/research/walk-forward-run.ts'

const DAY = 86_400_000
const record = (...returns: number[]) => ({ firstDay: 0, returns: Float64Array.from(returns) })

/** A window of two days, with the parameters that it chose. */
const played = (traded: number, chosen?: { readonly look: number }) => ({
  ...{
    train: { from: 0, to: DAY },
    test: { from: DAY, to: 2 * DAY },
    tried: 4,
    traded,
    chosen,
    roundTrips: 0,
  },
  inSample: chosen === undefined ? record(0) : record(0.02),
  outOfSample: chosen === undefined ? record(0) : record(0.01),
})

function reportOf(objective: string, windows: readonly ReturnType<typeof played>[]) {
  const done = {
    ...{ windows, stitched: record(0, 0), untested: { klines: 0 } },
    plan: { windows: windows.length, purge: 0, embargo: 0, isAnchored: false },
  } as unknown as WalkForwardDone
  const research = {
    search: { parameters: { space: [{ name: 'look' }], fixed: {} } },
    definition: { objective, leastTrades: 5000 },
  } as unknown as Parameters<typeof walkForwardSentences>[0]
  const figures = outOfSampleOf(done)
  const sentences = walkForwardSentences(research, done, figures)
  return {
    figures,
    cells: windowTable(research, done).rows,
    warning: sentences.find(line => /^Warning/.test(line)),
  }
}

describe('windows that chose nothing', () => {
  it('are warned of, with the objective that had no value', () => {
    const { warning, cells } = reportOf('profit-factor', [played(4), played(4)])
    expect(warning).toBe(
      'Warning: 2 of 2 windows chose no parameters (-), because no trial of their trainings has a value of the objective profit-factor (which needs 5000 round trips, see --min-trades), so that nothing was tested.',
    )
    // No parameter and nothing in sample; the test is cash.
    expect(cells[0]?.slice(3)).toEqual(['-', '-', '0.000%', '0.0%', '0'])
  })

  it('are not said to have earned nothing', () => {
    const { figures } = reportOf('sharpe', [played(4), played(4)])
    expect(figures.efficiency).toEqual({
      value: undefined,
      reason: 'No window chose parameters, because no trial of its training had a score.',
    })
    expect(figures.newerEfficiency.reason).toBe(figures.efficiency.reason)
  })

  it('are told from those in which nothing was traded', () => {
    expect(reportOf('sharpe', [played(0), played(4, { look: 5 })]).warning).toBe(
      'Warning: 1 of 2 windows chose no parameters (-), because no trial of their trainings bought or sold anything, and their tests stay in cash, with 0.0%.',
    )
  })

  it('leave the efficiency of the others as it is', () => {
    const { figures, warning } = reportOf('sharpe', [
      played(4, { look: 5 }),
      played(4, { look: 6 }),
      played(0),
    ])
    expect(figures.efficiency.value).toBeCloseTo(0.5, 12)
    expect(warning).toMatch(/^Warning: 1 of 3 windows/)
    expect(reportOf('sharpe', [played(4, { look: 5 })]).warning).toBeUndefined()
  })
})

it('says the size of a drift with three significant digits', () => {
  const drift = (...values: number[]) =>
    walkForwardSentences(
      { search: { parameters: { space: [{ name: 'edge' }], fixed: {} } } } as never,
      { windows: [], plan: { purge: 0, embargo: 0 }, untested: { klines: 0 } } as never,
      {
        ...outOfSampleOf({ windows: [], stitched: record() } as never),
        drift: [
          {
            name: 'edge',
            values,
            changes: 1,
            meanStep: Math.abs((values[1] as number) - (values[0] as number)),
          },
        ],
      },
    ).find(line => line.startsWith('Drift'))
  expect(drift(0.01, 0.0136)).toBe(
    'Drift of edge: changed 1 of 1 times, by 0.0036 on average from window to window.',
  )
  expect(drift(5, 11.4321)).toContain('by 6.43 on average')
  expect(drift(0, 1234.5)).toContain('by 1,235 on average')
})

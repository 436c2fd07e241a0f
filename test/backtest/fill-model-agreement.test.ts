import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PathPolicy } from '../../backtest/fill-settings.ts'
import { anyCase, type FillCase } from './fill-case.ts'
import { modelCaseFills } from './model-case-fills.ts'
import { naiveFills } from './naive-fills.ts'

const CASES = 1500
const POLICIES: readonly PathPolicy[] = ['pessimistic', 'optimistic', 'ohlc', 'olhc', 'detail']

/** Fills of one kline of a known path come in the order of the path; where two come at one price, either may be first. */
function inOrder(fills: string[], { settings }: FillCase): string[] {
  return settings.path === 'ohlc' || settings.path === 'olhc' ? fills.toSorted() : fills
}

describe.each(POLICIES)('the fill model with the path %s', path => {
  it('agrees with a naive second writing of its rules on random klines and orders', () => {
    let fills = 0
    fc.assert(
      fc.property(anyCase(path), fillCase => {
        const expected = naiveFills(fillCase)
        fills += expected.length
        expect(inOrder(modelCaseFills(fillCase), fillCase)).toEqual(inOrder(expected, fillCase))
      }),
      { numRuns: CASES },
    )
    expect(fills).toBeGreaterThan(CASES)
  })
})

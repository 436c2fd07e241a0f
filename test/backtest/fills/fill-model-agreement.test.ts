import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PathPolicy } from '../../../backtest/models/fill-settings.ts'
import { anyCase } from './fill-case.ts'
import { modelCaseFills } from './model-case-fills.ts'
import { naiveFills } from './naive-fills.ts'

const CASES = 1500
const POLICIES: readonly PathPolicy[] = ['ohlc', 'olhc']

describe.each(POLICIES)('the fill model with the path %s', path => {
  it('agrees with a naive second writing of its rules on random klines and orders', () => {
    let fills = 0
    fc.assert(
      fc.property(anyCase(path), fillCase => {
        const expected = naiveFills(fillCase)
        fills += expected.length
        // Where two fills come at one price, either may be first.
        expect(modelCaseFills(fillCase).toSorted()).toEqual(expected.toSorted())
      }),
      { numRuns: CASES },
    )
    expect(fills).toBeGreaterThan(CASES)
  })
})

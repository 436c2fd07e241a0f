import { describe, expect, it } from 'vitest'
import { compareResults } from '../../../backtest/validation/compare-results.ts'

const RESULT = {
  manifest: { code: 'a', gaps: { count: 0 } },
  fills: [{ price: 1 }, { price: 2 }],
  equity: [[1, 2]],
}
const differences = (now: object) =>
  compareResults(RESULT, { ...RESULT, ...now })
    .map(({ difference }) => difference)
    .filter(difference => difference !== undefined)

describe('compareResults', () => {
  it('names every part, in order', () => {
    expect(compareResults(RESULT, RESULT)).toEqual(
      ['manifest.code', 'manifest.gaps', 'fills', 'equity'].map(part => ({ part, difference: undefined })),
    )
  })

  it.each([
    [{ manifest: { code: 'b', gaps: { count: 0 } } }, 'manifest.code was "a" and is "b"'],
    [{ manifest: { code: 'a', gaps: { count: 1 } } }, 'manifest.gaps.count was 0 and is 1'],
    [{ manifest: { code: 'a' } }, 'manifest.gaps was {"count":0} and is absent'],
    [{ fills: [{ price: 1 }, { price: 3 }] }, 'fills[1].price was 2 and is 3'],
    [{ fills: [{ price: 1 }] }, 'fills had 2 entries and has 1'],
    [{ fills: [{ price: 1 }, { price: 2, fee: 0 }] }, 'fills[1].fee was absent and is 0'],
    [{ equity: [[1, -2]] }, 'equity[0][1] was 2 and is -2'],
    [{ equity: 'none' }, 'equity was [[1,2]] and is "none"'],
    [{ funding: [] }, 'funding was absent and is []'],
  ])('finds the first difference of %j', (now, difference) => {
    expect(differences(now)).toEqual([difference])
  })

  it('finds keys in another order, for the bytes differ then', () => {
    expect(compareResults({ metrics: { a: 1, b: 2 } }, { metrics: { b: 2, a: 1 } })).toEqual([
      { part: 'metrics', difference: 'metrics has its keys in another order' },
    ])
  })
})

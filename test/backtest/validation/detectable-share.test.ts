import { expect, it } from 'vitest'
import { detectableShare } from '../../../backtest/validation/causality/detectable-share.ts'

it.each([
  // All moments: a single one is found.
  [{ tested: 50, of: 50 }, 1 / 50],
  // 8 of 10: k marked are all missed with C(10 - k, 8) / C(10, 8): 9/45 for one, 1/45 for two.
  [{ tested: 8, of: 10 }, 2 / 10],
  [{ tested: 0, of: 10 }, 1],
  [{ tested: 0, of: 0 }, 0],
])('is the least share that a sample %o meets with 95%%: %d', (moments, share) => {
  expect(detectableShare(moments)).toBe(share)
})

it('comes to 3 / n of very many', () => {
  // 1 - 0.05^(1/300) = 0.00994
  expect(detectableShare({ tested: 300, of: 10_000_000 })).toBeCloseTo(0.00994, 5)
})

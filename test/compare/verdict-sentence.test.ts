import { expect, it } from 'vitest'
import { comparisonJson } from '../../src/compare/comparison-rows.ts'
import { sampleComparison } from './sample-comparison.ts'

it.each([
  [0.5, true, ''],
  [-2, false, ' But its 9 round trips earn -2.00 USDT on average, less than the '],
  [2, false, ' Its 9 round trips earn 2.00 USDT on average, more than the '],
])('says of round trips that earn %d where 0 to 1 is predicted: %s', (live, isInside, words) => {
  const predicted = { lower: 0, upper: 1, live, isInside, trips: 9, liveTrips: 9 }
  const { sentence } = comparisonJson({ ...sampleComparison(), leftOut: [], predicted })
  const rest = words === '' ? '' : `${words}0.00 USDT to 1.00 USDT that those of the backtest predict (95%).`
  expect(sentence).toBe(
    `Live traded as the backtest promised: the difference of 0.00 USDT is within 0.10% of the 0.00 USDT that live turned over.${rest}`,
  )
})

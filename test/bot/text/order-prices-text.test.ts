import { expect, it } from 'vitest'
import { orderPricesText } from '../../../src/bot/text/order-prices-text.ts'

it.each([
  [{ type: 'market', prices: [] }, ''],
  [{ type: 'limit', prices: [59_442.88] }, '59,442.88'],
  [{ type: 'stopLimit', prices: [58_000, 57_990.5] }, '58,000, 57,990.5'],
  // A trailing stop names where it follows from, its activation if it has one, and its distance if it is no rate.
  [{ type: 'trailingStop', prices: [58_915.4, 157.2], stopPrice: '58758.2' }, '58,758.2 (follows by 157.2)'],
  [{ type: 'trailingStop', prices: [100.01, 103], callbackRate: 0.006 }, 'active from 103 (follows by 0.6%)'],
  [{ type: 'trailingStop', prices: [100.01, 103, 2] }, 'active from 103 (follows by 2)'],
  [
    { type: 'trailingStop', prices: [100.01, 103], callbackRate: 0.006, stopPrice: '102.38' },
    '102.38 (follows by 0.6%)',
  ],
])('writes the prices of %j as "%s"', (order, text) => {
  expect(orderPricesText(order)).toBe(text)
})

import { expect, it } from 'vitest'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import type { SpotOrder } from '../../../src/exchange/spot/spot-order.ts'
import { differenceFrom, type ExpectedOrder } from '../../../src/execution/tracking/order-likeness.ts'

const SENT_AT = Date.UTC(2026, 0, 1)
const expected: ExpectedOrder = {
  ...{ request: { symbol: 'BTC/USDT', side: 'buy' }, since: SENT_AT },
  sent: { quantity: '0.500', price: '99.00' },
}
const found = {
  ...{ symbol: 'BTC/USDT', side: 'buy', time: SENT_AT },
  ...{ ordered: { quantity: new Decimal('0.5') }, price: new Decimal(99) },
} as SpotOrder // as far as it is looked at

it.each([
  [{}, undefined],
  [{ symbol: 'ETH/USDT' }, 'it is an order of ETH/USDT'],
  [{ side: 'sell' }, 'it is a sell'],
  // Clocks may differ by a minute.
  [{ time: SENT_AT - 60_000 }, undefined],
  [{ time: SENT_AT - 60_001 }, 'it is from 2025-12-31T23:58:59.999Z'],
  [{ ordered: { quantity: new Decimal('0.4') } }, 'its quantity is 0.4'],
  [{ ordered: { quoteAmount: new Decimal(50) } }, 'its quantity is 50 in quote'],
  [{ price: new Decimal('98.99') }, 'its price is 98.99'],
  // A list may tell no price.
  [{ price: undefined }, undefined],
] as const)('an order that is found with %j differs: %s', (fields, difference) => {
  expect(differenceFrom(expected, { ...found, ...fields } as SpotOrder)).toBe(difference)
})

it('quantity and price tell nothing where it is not noted what was sent, nor the price of an order at market', () => {
  const other = { ...found, ordered: { quantity: new Decimal('0.4') }, price: new Decimal(1) } as SpotOrder
  expect(differenceFrom({ ...expected, sent: undefined }, other)).toBeUndefined()
  expect(differenceFrom({ ...expected, sent: { quantity: '0.4' } }, other)).toBeUndefined()
})

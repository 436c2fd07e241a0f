import { expect, test } from 'vitest'
import { sessionArrivals } from '../../../backtest/ticks/session-arrivals.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import type { SessionRow } from '../../../src/matching/session-row.ts'
import { requestOf } from '../../ledger/order-parts.ts'

const GRID = { pricePrecision: 2, quantityPrecision: 5 }

/** An order of a session, a purchase. */
function bought(
  fields: Pick<
    Extract<SessionRow, { type: 'order' }>,
    'at' | 'order' | 'clientOrderId' | 'limit' | 'quantity'
  >,
  arrivesAt: number,
): SessionRow {
  return {
    type: 'order',
    symbol: 'BTC/USDT',
    side: 'buy',
    kind: 'limit',
    amount: undefined,
    ...fields,
    arrivesAt,
  }
}

const ROWS: readonly SessionRow[] = [
  bought({ at: 1050, order: '1', clientOrderId: 'abc-s-0', limit: '100.00', quantity: '1.00000' }, 1110),
  bought({ at: 5000, order: '2', clientOrderId: 'abc-zzz-0', limit: '99.00', quantity: '2.00000' }, 5060),
  { type: 'cancel', at: 7000, symbol: 'BTC/USDT', order: '2', arrivesAt: 7060 },
]

const limit = (clientOrderId: string, price: number, quantity: number) =>
  requestOf({
    ...{ clientOrderId, symbol: 'BTC/USDT', side: 'buy', quantity: steps(quantity * 100_000) },
    spec: { type: 'limit', price: ticks(price * 100) },
  })

test('an order arrives as that of the same decision did, or as the next one alike; others take a delay of the session', () => {
  const arrivals = sessionArrivals(ROWS, 'BTC/USDT', GRID, 999)
  const same = limit('xyz-s-0', 98, 3)
  expect([arrivals.ofOrder(same, 1000), arrivals.sentAs?.(same, 1000)]).toEqual([
    1110,
    { kind: 'limit', limit: 10_000 },
  ])
  const alike = limit('xyz-t-0', 99, 2)
  expect([arrivals.ofOrder(alike, 4000), arrivals.ofCancel(alike, 6000)]).toEqual([5060, 7060])
  // Both orders of the session took 60 ms.
  const other = limit('xyz-u-0', 97, 1)
  expect([arrivals.ofOrder(other, 8000), arrivals.sentAs?.(other, 8000)]).toEqual([8060, undefined])
  const none = sessionArrivals([], 'BTC/USDT', GRID, 999)
  expect(none.ofOrder(other, 8000)).toBe(8999)
})

import { expect, test } from 'vitest'
import { sessionArrivals } from '../../../backtest/ticks/session-arrivals.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import type { SessionRow } from '../../../src/matching/session-row.ts'
import { requestOf } from '../../ledger/order-parts.ts'

const GRID = { pricePrecision: 2, quantityPrecision: 5 }

type SessionOrder = Extract<SessionRow, { type: 'order' }>

/** An order of a session, a purchase at a limit but for the given fields. */
function bought(
  fields: Partial<SessionOrder> & Pick<SessionOrder, 'at' | 'order' | 'clientOrderId' | 'quantity'>,
  arrivesAt: number,
): SessionRow {
  return {
    type: 'order',
    symbol: 'BTC/USDT',
    side: 'buy',
    kind: 'limit',
    limit: undefined,
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

const arrivalsIn = (rows: readonly SessionRow[]) =>
  sessionArrivals({ id: 'session', rows }, 'BTC/USDT', GRID, 999)

const limit = (clientOrderId: string, price: number, quantity: number) =>
  requestOf({
    ...{ clientOrderId, symbol: 'BTC/USDT', side: 'buy', quantity: steps(quantity * 100_000) },
    spec: { type: 'limit', price: ticks(price * 100) },
  })

/** A purchase at market, decided at 100.20. */
const atMarket = (clientOrderId: string, quantity: number) =>
  requestOf({ clientOrderId, quantity: steps(quantity * 100_000), referencePrice: ticks(10_020) })

test('an order arrives as that of the same decision did, or as the next one alike; others take a delay of the session', () => {
  const arrivals = arrivalsIn(ROWS)
  expect(arrivals.ofOrder(limit('xyz-s-0', 98, 3), 1000)).toBe(1110)
  const alike = limit('xyz-t-0', 99, 2)
  expect([arrivals.ofOrder(alike, 4000), arrivals.ofCancel(alike, 6000)]).toEqual([5060, 7060])
  // Both orders of the session took 60 ms.
  expect(arrivals.ofOrder(limit('xyz-u-0', 97, 1), 8000)).toBe(8060)
  expect(arrivalsIn([]).ofOrder(limit('xyz-u-0', 97, 1), 8000)).toBe(8999)
})

test('an order at market is none that rested for another strategy at the same decision', () => {
  const arrivals = arrivalsIn(ROWS)
  const market = atMarket('xyz-s-0', 1)
  expect([arrivals.ofOrder(market, 1000), arrivals.capOf?.(market, 1000)]).toEqual([1060, undefined])
  // The limit order is still there for the strategy whose it was.
  expect(arrivals.ofOrder(limit('uvw-s-0', 100, 1), 1000)).toBe(1110)
  // A limit order takes no price from the session.
  expect(arrivals.capOf?.(limit('xyz-t-0', 99, 2), 4000)).toBeUndefined()
})

test('an order at market is bounded by the price with which it was sent, which is not that of an order below the market', () => {
  const immediate = (order: string, price: string, quantity: string, arrivesAt: number) =>
    bought(
      { at: 1050, order, clientOrderId: `abc${order}-s-0`, kind: 'immediate', limit: price, quantity },
      arrivesAt,
    )
  const rows = [
    immediate('1', '99.00', '1.00000', 1070),
    immediate('2', '100.50', '3.00000', 1080),
    immediate('3', '100.50', '2.00000', 1090),
  ]
  const arrivals = arrivalsIn(rows)
  const [second, first] = [atMarket('two-s-0', 2), atMarket('one-s-0', 3)]
  // Of two strategies at the same close, each finds the order of its own quantity.
  expect([arrivals.ofOrder(second, 1000), arrivals.capOf?.(second, 1000)]).toEqual([1090, 10_050])
  expect([arrivals.ofOrder(first, 1000), arrivals.capOf?.(first, 1000)]).toEqual([1080, 10_050])
})

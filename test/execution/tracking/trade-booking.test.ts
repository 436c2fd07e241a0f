import { expect, it } from 'vitest'
import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { steps } from '../../../src/domain/numbers/grid.ts'
import type { OwnTrade } from '../../../src/exchange/spot/own-trade.ts'
import type { TradingCalls } from '../../../src/execution/gateway/trading-calls.ts'
import { trackedOrder } from '../../../src/execution/tracking/tracked-order.ts'
import { TrackedOrders } from '../../../src/execution/tracking/tracked-orders.ts'
import { TradeBooking } from '../../../src/execution/tracking/trade-booking.ts'
import { FUTURES_BTC, SPOT_BTC } from '../../domain/instruments.ts'
import { requestOf } from '../../ledger/order-parts.ts'

const SENT_AT = 1_000_000

/** A trade of 0.001 BTC. */
const tradeOf = (id: number, orderId: string, time: number) =>
  ({
    ...{ id: `${id}`, orderId, symbol: 'BTC/USDT', side: 'buy', time, liquidity: 'taker' },
    ...{ price: new Decimal(10), quantity: new Decimal('0.001'), fee: new Decimal(0), feeAsset: 'BTC' },
  }) as OwnTrade // as far as it is looked at

it.each([
  [
    'are fewer than were asked for, as a host may cut them, and do not reach back that far',
    100,
    SENT_AT,
    true,
  ],
  ['reach back to before the order was sent, by their times', 500, SENT_AT - 1, false],
  ['may not reach back that far', 500, SENT_AT, true],
  ['have all that the order has filled', 500, SENT_AT, false, 1],
] as const)(
  'where the newest own trades %s, older ones are asked for: %s trades since %s, %s',
  async (_what, count, oldest, isAsked, executed?: number) => {
    const asked: unknown[] = []
    // The first trade of ours is the oldest that is listed; one before it is only in the history, as one of others is.
    const newest = Array.from({ length: count }, (_, index) =>
      tradeOf(index + 10, index === 0 ? '7' : '9', oldest),
    )
    const trading = {
      myTrades: async (query: unknown) => {
        asked.push(query)
        return newest
      },
      allHistoryTrades: async function* (range: unknown) {
        asked.push(range)
        yield* [tradeOf(1, '7', SENT_AT), tradeOf(2, '9', SENT_AT), tradeOf(10, '7', SENT_AT)]
      },
    } as unknown as TradingCalls // all that is called
    const told: string[] = []
    const emit = (event: { readonly type: string; readonly fill?: { readonly id: string } }) =>
      void told.push(event.fill?.id ?? event.type)
    const order = trackedOrder(SPOT_BTC, requestOf(), SENT_AT, { exchangeOrderId: '7' })
    await new TradeBooking({ trading, emit }, new TrackedOrders()).bookTradesOf(order, '7', executed)
    // The exchange’s lists may lie a minute before our time.
    const history = { symbol: 'BTC/USDT', from: SENT_AT - 60_000 }
    expect(asked).toEqual([{ symbol: 'BTC/USDT', limit: 500 }, ...(isAsked ? [history] : [])])
    expect([told, order.booked]).toEqual(isAsked ? [['10', '1'], 2] : [['10'], 1])
  },
)

/** Contracts of 0.1 BTC: the same trades, of 1 contract. */
const contractTrade = (id: number, orderId: string) => ({
  ...tradeOf(id, orderId, SENT_AT),
  ...{ quantity: new Decimal(1), feeAsset: 'USDT' },
})

it.each([
  ['among the newest', 10, ['5']],
  ['beyond the newest 500', 1000, ['3', '5']],
])(
  'books a trade of contracts that is older than one booked before, of an order that turned up since, %s',
  async (_where, newer, told) => {
    const older = [contractTrade(3, told.length > 1 ? '7' : '9'), contractTrade(5, '7')]
    const trades = [...older, ...Array.from({ length: newer }, (_, index) => contractTrade(index + 6, '8'))]
    const trading = {
      myTrades: async () => trades.slice(-500),
      allHistoryTrades: async function* () {
        yield* trades
      },
    } as unknown as TradingCalls // all that is called
    const fills: string[] = []
    const emit = (event: EngineEvent) => void fills.push(event.type === 'filled' ? event.fill.id : event.type)
    const orders = new TrackedOrders()
    const booking = new TradeBooking({ trading, emit }, orders)
    const orderOf = (clientOrderId: string, exchangeOrderId: string) =>
      trackedOrder(FUTURES_BTC, requestOf({ clientOrderId, quantity: steps(2000) }), SENT_AT, {
        exchangeOrderId,
      })
    const before = orderOf('before', '8')
    orders.add(before)
    await booking.bookTradesOf(before, '8')
    expect(fills).toHaveLength(newer)
    fills.length = 0
    const late = orderOf('late', '7')
    orders.add(late)
    await booking.bookTradesOf(late, '7')
    expect(fills).toEqual(told)
  },
)

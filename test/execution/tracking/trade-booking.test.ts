import { expect, it } from 'vitest'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import type { OwnTrade } from '../../../src/exchange/spot/own-trade.ts'
import type { TradingCalls } from '../../../src/execution/gateway/trading-calls.ts'
import { trackedOrder } from '../../../src/execution/tracking/tracked-order.ts'
import { TrackedOrders } from '../../../src/execution/tracking/tracked-orders.ts'
import { TradeBooking } from '../../../src/execution/tracking/trade-booking.ts'
import { SPOT_BTC } from '../../domain/instruments.ts'
import { requestOf } from '../../ledger/order-parts.ts'

const SENT_AT = 1_000_000

/** A trade of 0.001 BTC. */
const tradeOf = (id: number, orderId: string, time: number) =>
  ({
    ...{ id: `${id}`, orderId, symbol: 'BTC/USDT', side: 'buy', time, liquidity: 'taker' },
    ...{ price: new Decimal(10), quantity: new Decimal('0.001'), fee: new Decimal(0), feeAsset: 'BTC' },
  }) as OwnTrade // as far as it is looked at

it.each([
  ['reach back to before the order was sent, by a page that is not full', 499, SENT_AT, false],
  ['reach back to before the order was sent, by their times', 500, SENT_AT - 1, false],
  ['may not reach back that far', 500, SENT_AT, true],
])(
  'where the newest own trades %s, older ones are asked for: %s trades since %s, %s',
  async (_what, count, oldest, isAsked) => {
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
    await new TradeBooking({ trading, emit }, new TrackedOrders()).bookTradesOf(order, '7')
    // The exchange’s lists may lie a minute before our time.
    const history = { symbol: 'BTC/USDT', from: SENT_AT - 60_000 }
    expect(asked).toEqual([{ symbol: 'BTC/USDT', limit: 500 }, ...(isAsked ? [history] : [])])
    expect([told, order.booked]).toEqual(isAsked ? [['10', '1'], 2] : [['10'], 1])
  },
)

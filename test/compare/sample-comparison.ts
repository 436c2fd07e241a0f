import { DIFFERENCE_PARTS, type DifferencePart } from '../../src/compare/difference-part.ts'
import type { LiveComparison } from '../../src/compare/live-comparison.ts'
import type { ComparedOrder } from '../../src/compare/money-difference.ts'
import { type Amount, amountOf, ZERO } from '../../src/domain/numbers/amount.ts'
import { roundTrip } from '../backtest/results/round-trip.ts'
import { idleSession } from '../bot/state/idle-session.ts'
import { fillOf, requestOf } from '../ledger/order-parts.ts'

/** A comparison of one order and one round trip of both runs, that has everything a comparison may have. */
export function sampleComparison(): LiveComparison {
  const request = requestOf()
  const order = {
    ...{ request, book: request.symbol, fills: [fillOf(request, { price: '100', quantity: '1' })] },
    ...({ status: 'filled', reason: 'It was filled.' } as const),
  }
  const money = {
    ...{
      base: amountOf('1'),
      held: amountOf('1'),
      usuallyHeld: amountOf('1'),
      notional: 0n,
      notionalBeforeLoss: 0n,
      fees: 0n,
      usualFees: 0n,
      result: 0n,
    },
  }
  const compared: ComparedOrder = {
    ...{ live: order, backtest: order, money: { live: money, backtest: money } },
    ...({ cause: 'fees', parts: [{ part: 'fees', amount: 1n }] } as const),
  }
  const trips = [roundTrip('1', [0, 1])]
  return {
    ...{ bot: 'sample', quote: 'USDT', from: 0, until: 1, verdict: 'asPromised' },
    ...{ live: ZERO, backtest: ZERO, difference: ZERO, turnover: { live: ZERO, backtest: ZERO } },
    parts: Object.fromEntries(DIFFERENCE_PARTS.map(part => [part, ZERO])) as Record<DifferencePart, Amount>,
    filled: { live: 1, onlyLive: 0, backtest: 1, onlyBacktest: 0 },
    ...{ downtime: 0, boundRate: 0.001 },
    predicted: { lower: 0, upper: 1, live: 0.5, isInside: true, trips: 9, liveTrips: 9 },
    leftOut: [
      {
        strategy: 'two',
        symbol: 'BTC/USDT',
        feed: 'q',
        shows: 'ticker',
        of: 'BTC/USDT',
        orders: 1,
        books: [],
      },
    ],
    ...{ orders: [compared], trips: { live: trips, backtest: trips }, fundings: { live: [], backtest: [] } },
    session: idleSession(),
  }
}

import { expect, it } from 'vitest'
import { comparisonJson } from '../../src/compare/comparison-rows.ts'
import type { ComparedOrder } from '../../src/compare/money-difference.ts'
import type { RecordedOrder } from '../../src/compare/trading-record.ts'
import type { Purpose } from '../../src/domain/orders/order-intent.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import { roundTrip } from '../backtest/results/round-trip.ts'
import { fillOf, requestOf } from '../ledger/order-parts.ts'
import { sampleComparison } from './sample-comparison.ts'

/** Time (ms UTC) and price of a fill. */
type Fill = readonly [time: number, price: number]

/** An order of one BTC as both runs filled it. */
function filled(purpose: Purpose, live: Fill, backtest: Fill): ComparedOrder {
  const orderOf = ([time, price]: Fill): RecordedOrder => {
    const request = requestOf({ purpose, side: purpose === 'entry' ? 'buy' : 'sell' })
    const fills = [fillOf(request, { price: `${price}`, quantity: '1', time })]
    return { ...{ request, book: request.symbol, fills }, status: 'filled', reason: undefined }
  }
  const [sample] = sampleComparison().orders
  return { ...(sample as ComparedOrder), live: orderOf(live), backtest: orderOf(backtest) }
}

function tripOf([entryTime, entryPrice]: Fill, [exitTime, exitPrice]: Fill, exitReason: Purpose): RoundTrip {
  const priceOf = (price: number) => fillOf(requestOf(), { price: `${price}`, quantity: '1' }).price
  return {
    ...roundTrip('1', [entryTime, exitTime]),
    ...{ entryPrice: priceOf(entryPrice), exitPrice: priceOf(exitPrice), exitReason },
  }
}

/** The matches of the round trips of both runs, in their order. */
function matchesOf(
  orders: readonly ComparedOrder[],
  live: readonly RoundTrip[],
  backtest: readonly RoundTrip[],
): readonly string[] {
  return comparisonJson({ ...sampleComparison(), orders, trips: { live, backtest } }).trips.map(
    ({ match, live: one, backtest: other }) => `${match} ${one?.exitPrice} ${other?.exitPrice}`,
  )
}

it('a round trip that the backtest ends in the kline of its entry, at the same time, is that of the same orders live', () => {
  const orders = [filled('entry', [900, 100], [0, 101]), filled('stopLoss', [30_000, 95], [0, 96])]
  const [live, played] = [tripOf([900, 100], [30_000, 95], 'stopLoss'), tripOf([0, 101], [0, 96], 'stopLoss')]
  expect(matchesOf(orders, [live], [played])).toEqual(['matched 95.00 96.00'])
})

it('so is each of two that begin at one time, in orders at two limits', () => {
  const orders = [
    filled('entry', [900, 100], [0, 100]),
    filled('entry', [2000, 99], [0, 99]),
    filled('takeProfit', [30_000, 105], [0, 105]),
    filled('takeProfit', [40_000, 104], [0, 104]),
  ]
  const live = [
    tripOf([900, 100], [30_000, 105], 'takeProfit'),
    tripOf([2000, 99], [40_000, 104], 'takeProfit'),
  ]
  const played = [tripOf([0, 99], [0, 104], 'takeProfit'), tripOf([0, 100], [0, 105], 'takeProfit')]
  expect(matchesOf(orders, live, played)).toEqual(['matched 105.00 105.00', 'matched 104.00 104.00'])
})

it('one that another order ended is another', () => {
  const orders = [
    filled('entry', [900, 100], [0, 100]),
    filled('stopLoss', [30_000, 95], [0, 95]),
    filled('exit', [60_000, 97], [60_000, 97]),
  ]
  const live = tripOf([900, 100], [30_000, 95], 'stopLoss')
  const played = tripOf([0, 100], [60_000, 97], 'exit')
  expect(matchesOf(orders, [live], [played])).toEqual([
    'onlyLive 95.00 undefined',
    'onlyBacktest undefined 97.00',
  ])
})

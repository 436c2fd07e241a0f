import { expect, it } from 'vitest'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import type { OwnTrade } from '../../../src/exchange/spot/own-trade.ts'
import { MissingBase } from '../../../src/execution/reconciliation/outside-sales.ts'
import { Ledger } from '../../../src/ledger/ledger.ts'
import { SPOT_BTC } from '../../domain/instruments.ts'
import { fillOf, requestOf } from '../../ledger/order-parts.ts'

/** Sales of one person, each of 0.01 BTC for a fee of 0.001 USDT. */
function sales(prices: readonly string[], orderId = '77'): readonly OwnTrade[] {
  return prices.map((price, index) => ({
    ...{ symbol: 'BTC/USDT', id: `${1000 + index}`, orderId, side: 'sell', time: 5000 + index },
    ...{ quantity: new Decimal('0.01'), price: new Decimal(price), fee: new Decimal('0.001') },
    ...{ feeAsset: 'USDT', liquidity: 'taker', isSelfTrade: false },
  })) as unknown as readonly OwnTrade[] // as far as it is read
}

/** Closes of a position of 4 BTC, bought at 100, of which base is missing. */
function gone(others: readonly OwnTrade[], missing: string) {
  const ledger = new Ledger([SPOT_BTC], [['USDT', amountOf('1000')]])
  const entry = requestOf({ quantity: steps(4000) })
  ledger.orders.add(entry)
  ledger.orders.update(entry.clientOrderId, 'submitted')
  ledger.orders.update(entry.clientOrderId, 'accepted')
  ledger.book(fillOf(entry, { price: '100', quantity: '4', fee: '0', feeAsset: 'USDT' }))
  const base = new MissingBase(ledger, [SPOT_BTC], amountOf(missing))
  base.takeSales(others)
  return base.result
}

it('an order of somebody else in 200 fills at one price is one close, with the sum of what they took', () => {
  const { closes, unexplained } = gone(sales(Array.from({ length: 200 }, () => '99.99')), '2')
  expect(unexplained).toBe(0n)
  expect(closes).toMatchObject([
    {
      time: 5199,
      fillId: 'closed-1199',
      liquidation: { quantity: steps(2000), price: ticks(9999), fee: amountOf('0.2'), by: 'others' },
    },
  ])
})

it('fills at other prices, and of other orders, are closes of their own', () => {
  const others = [...sales(['99.98', '99.99', '99.98'], '77'), ...sales(['99.99'], '78')]
  const { closes } = gone(others, '0.04')
  const taken = closes.map(({ liquidation: { quantity, price } }) => [Number(quantity), Number(price)])
  expect(taken).toEqual([
    [10, 9999],
    [20, 9998],
    [10, 9999],
  ])
})

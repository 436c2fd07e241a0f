import { describe, expect, it } from 'vitest'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { fillOf } from '../../../src/execution/tracking/fill-of.ts'
import { UnbookableError } from '../../../src/execution/tracking/unbookable-error.ts'
import { MARGIN_BTC } from '../../domain/instruments.ts'
import { requestOf } from '../../ledger/order-parts.ts'

const order = {
  request: requestOf({ clientOrderId: 'own' }),
  instrument: { ...MARGIN_BTC, pricePrecision: 2, quantityPrecision: 2 },
}

const fillAt = (price: string, quantity: string, feeAsset = 'USDT') =>
  fillOf(order, {
    ...{ id: '7', orderId: '1', bidId: '1', askId: '2', symbol: 'BTC/USDT', side: 'buy', liquidity: 'taker' },
    ...{ price: new Decimal(price), quantity: new Decimal(quantity), fee: new Decimal('0.1') },
    ...{ feeAsset, isSelfTrade: false, bidUserId: undefined, askUserId: undefined, time: 0 },
  })

describe('a trade', () => {
  it('becomes a fill in ticks and steps, however many zeros its text ends with', () => {
    expect(fillAt('105.2700', '0.370')).toMatchObject({ price: 10_527, quantity: 37 })
  })

  it('keeps its fee, in whatever asset that was taken', () => {
    expect(fillAt('105', '1', 'BNB')).toMatchObject({ fee: amountOf('0.1'), feeAsset: 'BNB' })
  })

  it.each([
    ['105.275', '0.37', 'at a price of 105.275 (trade 7 of BTC/USDT)'],
    ['105.27', '0.375', 'a quantity of 0.375 (trade 7 of BTC/USDT)'],
  ])(
    'that is finer than what its instrument is counted in is never booked: %s, %s',
    (price, quantity, what) => {
      expect(() => fillAt(price, quantity)).toThrow(UnbookableError)
      expect(() => fillAt(price, quantity)).toThrow(
        `The exchange traded ${what}, but the bot counts it in 2 decimals, so that it cannot be booked, nor anything after it. Cancel and close by hand`,
      )
    },
  )
})

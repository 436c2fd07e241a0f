import { describe, expect, it } from 'vitest'
import { onPresentGrid } from '../../../src/execution/gateway/present-grid.ts'

const SALE = { symbol: 'BTC/USDT', type: 'market', side: 'sell', quantity: '0.00564' } as const
const LIMIT = { symbol: 'BTC/USDT', type: 'limit', quantity: '0.00560', price: '100.06' } as const

describe('onPresentGrid', () => {
  it('changes nothing where the exchange has changed nothing', () => {
    expect(onPresentGrid(SALE, {})).toEqual(SALE)
  })

  it('cuts a quantity to the decimals that are taken now', () => {
    expect(onPresentGrid(SALE, { quantityPrecision: 4 })).toEqual({ ...SALE, quantity: '0.0056' })
    expect(onPresentGrid(SALE, { quantityPrecision: 8 })).toEqual(SALE)
  })

  it.each([
    ['buy', '100'],
    ['sell', '100.1'],
  ] as const)('moves the price of a %s to where it trades later', (side, price) => {
    expect(onPresentGrid({ ...LIMIT, side }, { pricePrecision: 1 })).toEqual({ ...LIMIT, side, price })
  })

  it('sends nothing that is less than one step', () => {
    expect(() => onPresentGrid(SALE, { quantityPrecision: 2 })).toThrow(
      'The order of 0.00564 of BTC/USDT was not sent: the exchange now counts quantities in 2 decimals',
    )
  })
})

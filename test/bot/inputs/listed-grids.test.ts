import { describe, expect, it } from 'vitest'
import { listedGrids } from '../../../src/bot/venue/listed-grids.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { listedRulesOf } from '../../../src/market/listing-changes.ts'
import { MARGIN_BTC } from '../../domain/instruments.ts'

const named = (market: 'spot' | 'futures') => (symbol: string) => {
  return { market, account: market, name: market === 'spot' ? symbol : 'E-BTC-USDT' } as const
}

describe('listedGrids', () => {
  it('writes the decimals of a pair as its list does', () => {
    const pair = { ...MARGIN_BTC, symbol: 'BTC/USDT', pricePrecision: 2, quantityPrecision: 5 }
    const rules = listedRulesOf({ pricePrecision: 2, quantityPrecision: 5 })
    expect([...listedGrids([pair], named('spot'), 'spot')]).toEqual([['BTC/USDT', rules]])
    expect([...listedGrids([pair], named('spot'), 'futures')]).toEqual([])
  })

  it.each(['0.0001', '0.00000001', '10', '1.50'])(
    'writes the size of a contract as its list does: %s',
    multiplier => {
      const contract = { ...MARGIN_BTC, pricePrecision: 1, contractSize: amountOf(multiplier) }
      const rules = listedRulesOf({ pricePrecision: 1, multiplier: new Decimal(multiplier) })
      expect([...listedGrids([contract], named('futures'), 'futures')]).toEqual([['E-BTC-USDT', rules]])
    },
  )
})

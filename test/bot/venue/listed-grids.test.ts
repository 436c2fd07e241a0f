import { describe, expect, it } from 'vitest'
import { listedGrids } from '../../../src/bot/venue/listed-grids.ts'
import { configuredMarkets } from '../../../src/config/configured-market.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { MARGIN_BTC } from '../../domain/instruments.ts'

const CONTRACT = { ...MARGIN_BTC, symbol: 'E-BTC-USDT', pricePrecision: 1, contractSize: amountOf('0.0001') }
const PAIR = { ...MARGIN_BTC, symbol: 'BTC/USDT', pricePrecision: 2, quantityPrecision: 5 }
const terms = { leverage: 1, marginMode: 'cross', positionMode: 'oneWay', maintenance: [] } as const
const marketOf = configuredMarkets({ spot: {}, futures: terms })

describe('the grids that a list is compared with', () => {
  it('are those of the instruments of the market, by its names', () => {
    const instruments = [PAIR, CONTRACT]
    expect([...listedGrids(instruments, marketOf, 'spot')]).toEqual([
      ['BTC/USDT', { pricePrecision: '2', quantityPrecision: '5' }],
    ])
    expect([...listedGrids(instruments, marketOf, 'futures')]).toEqual([
      ['E-BTC-USDT', { pricePrecision: '1', multiplier: '0.0001' }],
    ])
  })

  it('lack what is configured, which counts whatever the exchange lists', () => {
    const rules = {
      default: { pricePrecision: 2 },
      'BTC/USDT': { quantityPrecision: 5 },
      'E-BTC-USDT': { contractSize: amountOf('0.0001') },
    }
    expect([...listedGrids([PAIR], marketOf, 'spot', rules)]).toEqual([['BTC/USDT', {}]])
    expect([...listedGrids([CONTRACT], marketOf, 'futures', rules)]).toEqual([['E-BTC-USDT', {}]])
  })
})

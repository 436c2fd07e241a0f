import { describe, expect, it } from 'vitest'
import { MarkPrices } from '../../../src/bot/inputs/mark-prices.ts'
import { flatMarket, MINUTE, START } from '../../simulator/exchange-caller.ts'
import { bidder } from '../test-strategies.ts'
import { futuresBot } from './futures-bot.ts'

describe('mark prices', () => {
  it('are told once each time they change, on the grid of the contract', async () => {
    const session = futuresBot({ strategy: bidder, klines: flatMarket(100, 60) })
    const contracts = await session.client.futures.contracts()
    expect(contracts).toHaveLength(1)
    const instrument = { symbol: 'BTC/USDT', pricePrecision: 2, quantityPrecision: 0, futures: {} } as never
    const marks = new MarkPrices(new Map([['BTC/USDT', instrument]]))
    marks.observe('BTC/USDT', 100.004)
    marks.observe('ETH/USDT', 5)
    expect(marks.drainChanges(START)).toEqual([
      { type: 'markPriceSeen', symbol: 'BTC/USDT', price: 10_000, time: START },
    ])
    marks.observe('BTC/USDT', 100)
    expect(marks.drainChanges(START + MINUTE)).toEqual([])
    marks.observe('BTC/USDT', 100.01)
    expect(marks.drainChanges(START + MINUTE)).toMatchObject([{ price: 10_001 }])
  })
})

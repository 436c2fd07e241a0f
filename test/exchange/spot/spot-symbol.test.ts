import { describe, expect, it } from 'vitest'
import { instrumentOf } from '../../../src/exchange/spot/spot-symbol.ts'
import { scriptedExchange } from '../call/scripted-exchange.ts'

const PAIRS = JSON.stringify({
  symbols: [
    {
      symbol: 'btcusdt',
      baseAsset: 'BTC',
      quoteAsset: 'USDT',
      pricePrecision: 1,
      quantityPrecision: 4,
      limitPriceMin: 0,
      limitVolumeMin: 0.00015,
      limitVolumeMax: '7.00009',
      ...{ limitAmountMin: '5', feeRateMaker: '0.001', feeRateTaker: '0.002' },
    },
    {
      ...{ symbol: 'ETHUSDT', baseAsset: 'eth', quoteAsset: 'usdt', pricePrecision: '2' },
      ...{ quantityPrecision: '3', limitAmountMin: 0, feeRateMaker: '0.001', feeRateTaker: 0.002 },
    },
  ],
})

describe('instrumentOf', () => {
  it('rounds minima up and maxima down to the grid', async () => {
    const [bitcoin, ether] = await scriptedExchange([PAIRS]).spot.symbols()
    if (bitcoin === undefined || ether === undefined) throw new Error('The pairs are missing.')
    expect(instrumentOf(bitcoin)).toMatchObject({ minPrice: 1, minQuantity: 2, maxQuantity: 70_000 })
    expect(instrumentOf(ether)).toMatchObject({
      symbol: 'ETH/USDT',
      minQuantity: 1,
      minNotional: 0n,
      fees: { maker: 10n ** 15n, taker: 2n * 10n ** 15n },
    })
  })

  it('takes over listed limits and fee rates', async () => {
    const pair = {
      ...{ symbol: 'btcusdt', baseAsset: 'BTC', quoteAsset: 'USDT', pricePrecision: 2, quantityPrecision: 8 },
      ...{ limitAmountMin: '100', limitPriceMin: '123.45', limitVolumeMin: '10' },
      ...{ feeRateMaker: '0.002', feeRateTaker: '0.003' },
    }
    const [bitcoin] = await scriptedExchange([JSON.stringify({ symbols: [pair] })]).spot.symbols()
    expect(bitcoin && instrumentOf(bitcoin)).toEqual({
      symbol: 'BTC/USDT',
      base: 'BTC',
      quote: 'USDT',
      pricePrecision: 2,
      quantityPrecision: 8,
      minPrice: 12_345,
      minQuantity: 1_000_000_000,
      maxQuantity: Number.MAX_SAFE_INTEGER,
      minNotional: 100n * 10n ** 18n,
      leverage: { min: 1, max: 1 },
      accountType: 'spot',
      fees: { maker: 2n * 10n ** 15n, taker: 3n * 10n ** 15n, paidIn: 'received' },
    })
  })

  it.each([
    ['pricePrecision', 'pricePrecision'],
    ['quantityPrecision', 'quantityPrecision'],
    ['limitAmountMin', 'minNotional'],
    ['feeRateMaker', 'makerFeeRate'],
    ['feeRateTaker', 'takerFeeRate'],
  ])('does not guess what a list without %s omits', async (key, rule) => {
    for (const omitted of [undefined, null, '']) {
      const pair = { ...JSON.parse(PAIRS).symbols[0], [key]: omitted }
      const [bitcoin] = await scriptedExchange([JSON.stringify([pair])]).spot.symbols()
      expect(() => bitcoin && instrumentOf(bitcoin)).toThrow(
        `The exchange does not list the ${rule} of BTC/USDT; write it under "instruments" of the configuration.`,
      )
    }
  })
})

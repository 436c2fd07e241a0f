import { describe, expect, it } from 'vitest'
import { loadInstruments } from '../../../src/bot/venue/load-instruments.ts'
import { MissingRulesError } from '../../../src/bot/venue/missing-rules-error.ts'
import type { RulesBySymbol } from '../../../src/config/instrument-rules.ts'
import { amountOf, rateOf } from '../../../src/domain/numbers/amount.ts'
import { UsageError } from '../../../src/domain/sluice-error.ts'
import { rejectionOf, scriptedExchange } from '../../exchange/call/scripted-exchange.ts'
import { configFile } from '../config/config-file.ts'

/** A symbol as hosts list it that have neither names nor fee rates nor a least amount. */
const BARE = {
  ...{ symbol: 'ethusdt', baseAsset: 'ETH', quoteAsset: 'USDT', pricePrecision: 2, quantityPrecision: 4 },
  ...{ limitPriceMin: '0.01', limitVolumeMin: '0.001' },
}
/** The fifteen keys of a contract of hosts without leverage, fees and margin coin. */
const FIFTEEN = {
  ...{ symbol: 'E-ETH-USDT', contractId: 7, type: 'E', status: 1, side: 1, pricePrecision: 2 },
  ...{ multiplier: 0.01, multiplierCoin: 'ETH', minOrderVolume: 1, minOrderMoney: 5, maxValidOrder: 100 },
  ...{ maxMarketVolume: 50_000, maxMarketMoney: 1_000_000, maxLimitVolume: 40_000, maxLimitMoney: 1e6 },
}
const FEES = { makerFeeRate: rateOf('0.0002'), takerFeeRate: rateOf('0.0006') }
const FUTURES = { leverage: 20, marginMode: 'cross', positionMode: 'oneWay' } as const

async function load(
  list: unknown,
  symbol: string,
  rules: RulesBySymbol = {},
  { leverage = 20, configPath }: { readonly leverage?: number; readonly configPath?: string } = {},
) {
  const remarks: string[] = []
  const accounts = symbol.startsWith('E-') ? { futures: { ...FUTURES, leverage } } : { spot: {} }
  const loaded = await loadInstruments(scriptedExchange([JSON.stringify(list)]), [symbol], accounts, {
    ...{ rules, onRemark: (sentence: string) => remarks.push(sentence) },
    ...(configPath !== undefined && { configPath }),
  })
  return { instrument: loaded.get(symbol), remarks }
}

describe('a pair without fee rates, names and least amount', () => {
  it('is asked of the configuration by the names of its rules', async () => {
    const error = await rejectionOf(load([BARE], 'ETH/USDT'))
    expect(error).toBeInstanceOf(MissingRulesError)
    expect(error).toMatchObject({
      missing: [{ symbol: 'ETH/USDT', rules: ['minNotional', 'makerFeeRate', 'takerFeeRate'] }],
    })
  })

  it('is traded by the rules of the configuration', async () => {
    const rules = { default: FEES, 'ETH/USDT': { minNotional: amountOf('5') } }
    const { instrument, remarks } = await load({ symbols: [BARE] }, 'ETH/USDT', rules)
    // 0.001 of quantities with 4 decimals are 10 steps.
    expect(instrument).toMatchObject({
      ...{ symbol: 'ETH/USDT', pricePrecision: 2, quantityPrecision: 4, minQuantity: 10 },
      ...{ minNotional: amountOf('5'), fees: { maker: rateOf('0.0002'), taker: rateOf('0.0006') } },
    })
    expect(remarks).toEqual([])
  })
})

describe('a contract of fifteen keys', () => {
  it('is asked for its fee rates only', async () => {
    expect(await rejectionOf(load([FIFTEEN], 'E-ETH-USDT'))).toMatchObject({
      missing: [{ symbol: 'E-ETH-USDT', rules: ['makerFeeRate', 'takerFeeRate'] }],
    })
  })

  it('has the coins of its name, and no bound of leverage but that of the exchange', async () => {
    const { instrument } = await load([FIFTEEN], 'E-ETH-USDT', { default: FEES }, { leverage: 500 })
    expect(instrument).toMatchObject({
      ...{ base: 'ETH', quote: 'USDT', minQuantity: 1, maxQuantity: 40_000, minNotional: amountOf('5') },
      ...{ leverage: { min: 1, max: Number.MAX_SAFE_INTEGER }, contractSize: amountOf('0.01') },
      ...{ fees: { maker: rateOf('0.0002'), taker: rateOf('0.0006') } },
    })
  })

  it('has the configured bounds of leverage', async () => {
    const rules = { 'E-ETH-USDT': { ...FEES, minLeverage: 2, maxLeverage: 50 } }
    const { instrument } = await load([FIFTEEN], 'E-ETH-USDT', rules)
    expect(instrument?.leverage).toEqual({ min: 2, max: 50 })
    await expect(load([FIFTEEN], 'E-ETH-USDT', rules, { leverage: 51 })).rejects.toThrow(
      'The leverage of 51 is not one that E-ETH-USDT allows, 2 to 50',
    )
  })

  it.each([
    [0, 75, { min: 1, max: 75 }],
    [0, 0, { min: 1, max: Number.MAX_SAFE_INTEGER }],
  ])('with a leverage from %d to %d is bounded by %o', async (minLever, maxLever, bounds) => {
    const { instrument } = await load([{ ...FIFTEEN, minLever, maxLever }], 'E-ETH-USDT', { default: FEES })
    expect(instrument?.leverage).toEqual(bounds)
  })

  it('is named as its host names it', async () => {
    const contract = { ...FIFTEEN, symbol: 'USDT1802-BTC-USDT', multiplierCoin: 'BTC' }
    const client = scriptedExchange([JSON.stringify({ data: { list: [contract] } })])
    const accounts = { futures: { ...FUTURES, maintenance: [] } }
    const loaded = await loadInstruments(client, ['USDT1802-BTC-USDT'], accounts, {
      rules: { default: FEES },
    })
    expect(loaded.get('USDT1802-BTC-USDT')).toMatchObject({ base: 'BTC', quote: 'USDT' })
  })
})

describe('a rule that is listed and configured', () => {
  it('is the configured one, and both are told in one sentence', async () => {
    const listed = { ...BARE, limitAmountMin: '10', feeRateMaker: '0.002', feeRateTaker: '0.0006' }
    const rules = { 'ETH/USDT': { ...FEES, minNotional: amountOf('5'), quantityPrecision: 3 } }
    const { instrument, remarks } = await load([listed], 'ETH/USDT', rules)
    expect(instrument).toMatchObject({ quantityPrecision: 3, minQuantity: 1, minNotional: amountOf('5') })
    expect(instrument?.fees).toMatchObject({ maker: rateOf('0.0002'), taker: rateOf('0.0006') })
    expect(remarks).toEqual([
      'The exchange lists ETH/USDT with quantityPrecision 4, minNotional 10, makerFeeRate 0.002, but the configuration says quantityPrecision 3, minNotional 5, makerFeeRate 0.0002, which counts.',
    ])
  })
})

describe('an entry that cannot be read', () => {
  const listed = { ...BARE, limitAmountMin: 5, feeRateMaker: 0, feeRateTaker: '0.001' }
  const odd = { ...listed, symbol: 'btcusdt', baseAsset: 'BTC', pricePrecision: 'two' }

  it('is left out where it is not traded, and told with its key', async () => {
    const { instrument, remarks } = await load({ symbols: [odd, listed, { symbol: 'x' }] }, 'ETH/USDT')
    expect(instrument).toMatchObject({ symbol: 'ETH/USDT', fees: { maker: 0n } })
    expect(remarks).toEqual([
      "Entries of the exchange's list of pairs cannot be read and are left out: btcusdt (pricePrecision must be a whole number from 0 to 18), x (baseAsset must be text).",
    ])
  })

  it('refuses the start by name with the key where it is traded', async () => {
    const error = await rejectionOf(load([odd, listed], 'BTC/USDT'))
    expect(error).toBeInstanceOf(UsageError)
    expect(String(error)).toContain(
      "The exchange's entry of BTC/USDT cannot be read: pricePrecision must be a whole number from 0 to 18.",
    )
  })

  it('of a contract with an unknown side is not guessed', async () => {
    const contracts = [
      { ...FIFTEEN, side: 2 },
      { ...FIFTEEN, symbol: 'E-BTC-USDT' },
    ]
    await expect(load(contracts, 'E-ETH-USDT', { default: FEES })).rejects.toThrow(
      "The exchange's entry of E-ETH-USDT cannot be read: side 2 is none of 0 (backward), 1 (forward).",
    )
  })
})

describe('missing rules', () => {
  it('are told with the line of the section to write them in, and the lines to write', async () => {
    const configPath = configFile('strategies: []\ninstruments:\n  default: { minNotional: 5 }\n')
    const rules = { default: { minNotional: amountOf('5') } }
    const { message } = (await rejectionOf(load([BARE], 'ETH/USDT', rules, { configPath }))) as Error
    expect(message).toBe(
      `${configPath}:2:1: The exchange does not list makerFeeRate, takerFeeRate of ETH/USDT. Write what it publishes elsewhere under "instruments" here:
instruments:
  ETH/USDT:
    makerFeeRate: # a fraction, such as "0.001" for 0.1%
    takerFeeRate: # a fraction, such as "0.001" for 0.1%`,
    )
  })

  it('are told with the first line of a configuration without that section', async () => {
    const configPath = configFile('strategies: []\n')
    const { message } = (await rejectionOf(load([BARE], 'ETH/USDT', {}, { configPath }))) as Error
    expect(message).toContain(`${configPath}:1:1: The exchange does not list minNotional, makerFeeRate,`)
    expect(message).toContain('into the configuration, for example here:\ninstruments:\n  ETH/USDT:\n')
  })
})

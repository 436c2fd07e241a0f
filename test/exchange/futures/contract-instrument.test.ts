import { describe, expect, it } from 'vitest'
import { amountOf, rateOf } from '../../../src/domain/numbers/amount.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import type { FuturesContract } from '../../../src/exchange/futures/contract.ts'
import { contractInstrument } from '../../../src/exchange/futures/contract-instrument.ts'

const of = (value: string) => new Decimal(value)
const TERMS = { leverage: 5, marginMode: 'cross', positionMode: 'oneWay', maintenance: [] } as const

/** The contract that a live host of the interface lists (supplement section 7), with other fees for closing. */
const LISTED: FuturesContract = {
  contractName: 'E-BTC-USDT',
  contractId: '1',
  type: 'perpetual',
  isTradable: true,
  side: 'forward',
  multiplier: of('0.0001'),
  multiplierCoin: 'BTC',
  marginCoin: 'USDT',
  pricePrecision: 1,
  minOrderVolume: of('1'),
  minOrderMoney: of('0.001'),
  maxMarketVolume: of('5000000'),
  maxMarketMoney: of('10000000'),
  maxLimitVolume: of('10000000'),
  maxLimitMoney: undefined,
  maxOpenOrders: 200,
  minLeverage: of('0'),
  maxLeverage: of('150'),
  openTakerFeeRate: of('0.00075'),
  openMakerFeeRate: of('0.00025'),
  closeTakerFeeRate: of('0.0006'),
  closeMakerFeeRate: of('0.0003'),
}

describe('contractInstrument', () => {
  it('counts whole contracts, bounds them by the smaller maximum, and takes the larger fees', () => {
    expect(contractInstrument(LISTED, 'BTC/USDT', TERMS)).toMatchObject({
      symbol: 'BTC/USDT',
      base: 'BTC',
      quote: 'USDT',
      pricePrecision: 1,
      quantityPrecision: 0,
      minQuantity: 1,
      maxQuantity: 5_000_000,
      minNotional: amountOf('0.001'),
      leverage: { min: 1, max: 150 },
      accountType: 'futures',
      contractSize: amountOf('0.0001'),
      futures: TERMS,
      fees: { maker: rateOf('0.0003'), taker: rateOf('0.00075'), paidIn: 'quote' },
    })
  })

  it.each([
    ['that is paid in base', { side: 'backward' }, 'only contracts settled in quote'],
    ['that takes no orders', { isTradable: false }, 'accepts no orders for E-BTC-USDT now'],
    ['whose leverage does not allow the account', { maxLeverage: of('4') }, 'The leverage of 5 is not one'],
    ['whose multiplier is too fine', { multiplier: of('0.000000000000000001') }, 'more than the 18 decimals'],
  ] as const)('refuses a contract %s', (_name, fields, message) => {
    expect(() => contractInstrument({ ...LISTED, ...fields }, 'BTC/USDT', TERMS)).toThrow(message)
  })
})

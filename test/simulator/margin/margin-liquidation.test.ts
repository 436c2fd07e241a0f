import { describe, expect, it } from 'vitest'
import { amountToText } from '../../../src/domain/numbers/amount.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { ExchangeCaller, flatMarket, klinesOf, MINUTE, START } from '../exchange-caller.ts'
import { everywhere } from '../transfers/random-accounts.ts'

interface Opening {
  /** Prices of BTC/USDT, a minute each. */
  readonly prices: readonly number[]
  readonly money?: Record<string, string>
  readonly takerFeeRate?: string
  readonly more?: SimulatorConfigInput
}

/** A margin account with 1000 USDT on a market without fees, quoted a tick around its price. */
function open({ prices, money = { USDT: '1000' }, takerFeeRate = '0', more = {} }: Opening): ExchangeCaller {
  const klines = klinesOf(...prices.map(price => [price, price, price, price] as const))
  const fees = { makerFeeRate: '0', takerFeeRate }
  return ExchangeCaller.open({
    listings: [
      { symbol: 'BTC/USDT', ...fees, market: { type: 'klines', klines } },
      { symbol: 'ETH/USDT', ...fees, market: { type: 'klines', klines: flatMarket(10) } },
    ],
    accounts: [{ ...TEST_ACCOUNT, balances: {}, marginBalances: money }],
    ...more,
  })
}

function order(caller: ExchangeCaller, side: string, volume: number, price?: number, symbol = 'BTC/USDT') {
  const type = price === undefined ? 'MARKET' : 'LIMIT'
  return caller.post('/sapi/v2/margin/order', { symbol, side, type, volume, price })
}

/** `[free, locked, owed]` of an asset. */
function moneyOf({ exchange }: ExchangeCaller, asset: string): readonly string[] {
  const margin = exchange.state.users[0]?.margin
  const { free, locked } = margin?.account.holding(asset) ?? {}
  const owed = margin?.credit.debts.get(asset)
  return [free, locked, owed].map(amount => (amount === undefined ? '0' : amountToText(amount)))
}

function pass(caller: ExchangeCaller, minutes: number): void {
  caller.now = START + minutes * MINUTE
  caller.exchange.advance(caller.now)
}

const insured = ({ exchange }: ExchangeCaller, asset: string) =>
  amountToText(exchange.state.insurance.holding(asset).free)

const liquidations = ({ exchange }: ExchangeCaller) => [...exchange.state.marginLiquidations]

describe('a margin account that has borrowed to buy', () => {
  /** Buys 24.9975 BTC at 100.01 for 2499.999975 USDT, 1499.999975 of them borrowed. */
  function long(...prices: number[]): ExchangeCaller {
    const caller = open({ prices: [100, ...prices] })
    order(caller, 'BUY', 2500)
    expect([moneyOf(caller, 'BTC'), moneyOf(caller, 'USDT')]).toEqual([
      ['24.9975', '0', '0'],
      ['0', '0', '1499.999975'],
    ])
    return caller
  }

  it('is left alone while its assets are worth more than 1.1 times its debts', () => {
    // 24.9975 × 66.01 is 1650.084975; 1.1 × 1499.999975 is 1649.9999725.
    const caller = long(66.01)
    pass(caller, 2)
    expect([moneyOf(caller, 'BTC'), liquidations(caller)]).toEqual([['24.9975', '0', '0'], []])
  })

  it('is liquidated at that ratio: as much is sold as its debts take, at what the book pays', () => {
    const caller = long(66)
    pass(caller, 1)
    // At 65.99, 22.73072 BTC are the first whole number of steps that bring 1499.999975: they bring 1500.0002128.
    expect([moneyOf(caller, 'BTC'), moneyOf(caller, 'USDT')]).toEqual([
      ['2.26678', '0', '0'],
      ['0.0002378', '0', '0'],
    ])
    expect(liquidations(caller)).toEqual([{ uid: 10_001, time: START + MINUTE }])
    expect([insured(caller, 'BTC'), insured(caller, 'USDT')]).toEqual(['0', '0'])
  })

  it('finds the sale among its own orders and trades', () => {
    const caller = long(66)
    pass(caller, 2)
    const { text, json } = caller.get('/sapi/v2/margin/myTrades?symbol=BTC/USDT')
    expect(json[0]).toMatchObject({ price: '65.99', qty: '22.73072', isBuyer: false, isMaker: false })
    const [, askId] = /"askId":(\d+)/.exec(text) ?? []
    const found = caller.get(`/sapi/v2/margin/order?symbol=BTC/USDT&orderId=${askId}`).json
    expect(found).toMatchObject({ type: 'MARKET', side: 'SELL', status: 'FILLED', clientOrderId: '0' })
  })

  it('loses everything to a fall below its debts, and the insurance pays what is missing', () => {
    const caller = long(50)
    const before = amountToText(everywhere(caller.exchange, 'USDT'))
    pass(caller, 2)
    expect([moneyOf(caller, 'BTC'), moneyOf(caller, 'USDT')]).toEqual([
      ['0', '0', '0'],
      ['0', '0', '0'],
    ])
    // 24.9975 BTC at 49.99 bring 1249.625025 of the 1499.999975 owed.
    expect(insured(caller, 'USDT')).toBe('-250.37495')
    expect(amountToText(everywhere(caller.exchange, 'USDT'))).toBe(before)
  })

  it('is liquidated the same way by a price that is moved by hand', () => {
    const caller = long(100)
    caller.exchange.stage({ type: 'shock', time: START + 1, symbol: 'BTC/USDT', price: '66' })
    expect(moneyOf(caller, 'BTC')).toEqual(['2.26678', '0', '0'])
  })
})

describe('a margin account that has borrowed to sell', () => {
  it('buys back what it owes, the fee on it included', () => {
    // Sells 10 BTC at 99.99; with 0.1% off, 1998.9001 USDT are less than 1.1 × 10 × 181.72 = 1998.92, but more than 1.1 × 10 × 181.71.
    const caller = open({ prices: [100, 181.71, 181.72], takerFeeRate: '0.001' })
    order(caller, 'SELL', 10)
    pass(caller, 1)
    expect(moneyOf(caller, 'BTC')).toEqual(['0', '0', '10'])
    pass(caller, 2)
    // 10.01002 BTC are the first steps of which 99.9% are 10: 10.00000998. At 181.73 they cost 1819.1209346.
    expect([moneyOf(caller, 'BTC'), moneyOf(caller, 'USDT')]).toEqual([
      ['0.00000998', '0', '0'],
      ['179.7791654', '0', '0'],
    ])
    // One sale, and one purchase of the right size.
    expect(caller.get('/sapi/v2/margin/myTrades?symbol=BTC/USDT').json).toHaveLength(2)
  })

  it('is liquidated by interest alone', () => {
    const more = { margin: { hourlyInterestRate: '0.5' } }
    // 10 BTC sold at 99.99; after one hour 15 are owed, 1500 of 1999.9; after two 22.5, which is more than all of it pays for.
    const caller = open({ prices: Array.from({ length: 130 }, () => 100), more })
    order(caller, 'SELL', 10)
    pass(caller, 119)
    expect(moneyOf(caller, 'BTC')).toEqual(['0', '0', '15'])
    pass(caller, 121)
    // 1999.9 USDT buy 19.99700 BTC at 100.01 for 1999.89997; 2.503 are missing, and 0.00003 USDT left over.
    expect([moneyOf(caller, 'BTC'), moneyOf(caller, 'USDT')]).toEqual([
      ['0', '0', '0'],
      ['0', '0', '0'],
    ])
    expect([insured(caller, 'BTC'), insured(caller, 'USDT')]).toEqual(['-2.503', '0.00003'])
  })
})

describe('a liquidation', () => {
  it('cancels open orders first, and stops there if what they had borrowed was the trouble', () => {
    const caller = open({ prices: [100, 59] })
    order(caller, 'BUY', 2000.2)
    order(caller, 'BUY', 16, 50)
    expect([moneyOf(caller, 'BTC'), moneyOf(caller, 'USDT')]).toEqual([
      ['20', '0', '0'],
      ['0', '800', '1800.2'],
    ])
    pass(caller, 2)
    // With the order 1980 stood against 1800.2 (1.0999), without it 1180 against 1000.2 (1.18).
    expect([moneyOf(caller, 'BTC'), moneyOf(caller, 'USDT')]).toEqual([
      ['20', '0', '0'],
      ['0', '0', '1000.2'],
    ])
    expect(caller.get('/sapi/v2/margin/openOrders').json).toEqual([])
    expect(liquidations(caller)).toEqual([])
  })

  it('goes over a third asset where there is no market between what is held and what is owed', () => {
    const caller = open({ prices: [100, 1, 1], money: { BTC: '1000' } })
    order(caller, 'SELL', 100, undefined, 'ETH/USDT')
    expect([moneyOf(caller, 'ETH'), moneyOf(caller, 'USDT')]).toEqual([
      ['0', '0', '100'],
      ['999', '0', '0'],
    ])
    // 1000 BTC at 1 and 999 USDT stand against 1000 USDT, and after the jump against 1900.
    pass(caller, 1)
    expect(liquidations(caller)).toEqual([])
    caller.exchange.stage({ type: 'shock', time: caller.now, symbol: 'ETH/USDT', price: '19' })
    // 999 USDT buy 52.55128 ETH at 19.01; for the other 47.44872, 911.11112 BTC at 0.99 bring the 902 USDT that lack.
    expect([moneyOf(caller, 'BTC'), moneyOf(caller, 'ETH'), moneyOf(caller, 'USDT')]).toEqual([
      ['88.88888', '0', '0'],
      ['0', '0', '0'],
      ['0.0000088', '0', '0'],
    ])
    expect(insured(caller, 'ETH')).toBe('0')
  })

  it('goes on with the next price where the book is too thin, until the account is safe again', () => {
    const liquidity = { spreadTicks: 1, levelNotionals: ['650'] }
    const caller = open({ prices: [100, 60, 60], more: { liquidity } })
    for (let print = 0; print < 4; print++) {
      order(caller, 'BUY', 600.06)
      caller.now += MINUTE / 4
    }
    expect([moneyOf(caller, 'BTC')[0], moneyOf(caller, 'USDT')[2]]).toEqual(['24', '1400.24'])
    // 650 USDT pay for 10.83513 BTC at 59.99, with every print anew; after two, 139.8 stand against 100.2.
    const seenAfter = (prints: number) => {
      pass(caller, 1 + prints / 4)
      return [moneyOf(caller, 'BTC')[0], moneyOf(caller, 'USDT')[2], liquidations(caller).length]
    }
    expect([seenAfter(0), seenAfter(1), seenAfter(2)]).toEqual([
      ['13.16487', '750.2405513', 1],
      ['2.32974', '100.2411026', 2],
      ['2.32974', '100.2411026', 2],
    ])
  })

  it('takes away what nobody can sell', () => {
    const caller = open({ prices: [100, 50], money: { USDT: '1000', XYZ: '5' } })
    order(caller, 'BUY', 2500)
    pass(caller, 2)
    expect([moneyOf(caller, 'XYZ')[0], insured(caller, 'XYZ')]).toEqual(['0', '5'])
  })
})

describe('the liquidation ratio', () => {
  it('is a setting', () => {
    const caller = open({ prices: [100, 80], more: { margin: { liquidationRatio: '1.4' } } })
    order(caller, 'BUY', 2500)
    // 24.9975 × 80 is 1999.8, less than 1.4 × 1499.999975.
    pass(caller, 1)
    expect(moneyOf(caller, 'USDT')[2]).toBe('0')
  })

  it('must leave room below what may be borrowed', () => {
    const margin = { maxLeverage: '5', liquidationRatio: '1.25' }
    expect(() => createSimulatedExchange({ margin })).toThrow(
      'margin.liquidationRatio must be below 5 / (5 - 1), about 1.25: that is the ratio of an account that has borrowed all that its maxLeverage allows.',
    )
    expect(() => createSimulatedExchange({ margin: { ...margin, liquidationRatio: '1.24' } })).not.toThrow()
  })
})

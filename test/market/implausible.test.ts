import { describe, expect, it } from 'vitest'
import { type Kline, klineProblem } from '../../src/domain/market-data/kline.ts'
import { Decimal } from '../../src/domain/numbers/decimal.ts'
import type { ExchangeIndexPrice } from '../../src/exchange/futures/index-price.ts'
import type { ExchangeDepth } from '../../src/exchange/spot/depth.ts'
import type { ExchangeTicker } from '../../src/exchange/spot/ticker.ts'
import type { ExchangeTrade } from '../../src/exchange/spot/trade.ts'
import { depthProblem, indexPriceProblem, tickerProblem, tradeProblem } from '../../src/market/implausible.ts'

const d = (value: number | string) => new Decimal(value)

function ticker(
  change: Partial<Record<'last' | 'high' | 'low' | 'bid' | 'ask', string>> = {},
): ExchangeTicker {
  const { last = '100', high = '110', low = '90', bid = '99', ask = '101' } = change
  return {
    ...{
      symbol: 'BTC/USDT',
      time: 0,
      open: undefined,
      volume: d(5),
      quoteVolume: undefined,
      change: undefined,
    },
    ...{ last: d(last), high: d(high), low: d(low), bidQuantity: undefined, askQuantity: undefined },
    bid: bid === '' ? undefined : d(bid),
    ask: ask === '' ? undefined : d(ask),
  }
}

describe('tickerProblem', () => {
  it.each([
    {},
    { bid: '100', ask: '100' },
    { bid: '' },
    { ask: '' },
    { bid: '', ask: '' },
    // A new low that the day's statistics do not know yet: a crash.
    { last: '50', bid: '49', ask: '51' },
    // Nothing was traded within a day.
    { high: '0', low: '0' },
  ])('finds nothing wrong with %j', change => {
    expect(tickerProblem(ticker(change))).toBeUndefined()
  })

  it.each([
    [{ last: '0' }, 'its last price is 0'],
    [{ last: '-1' }, 'its last price is -1'],
    [{ low: '-90' }, 'its low is -90 and its high 110'],
    [{ low: '111' }, 'its low of 111 is above its high of 110'],
    [{ bid: '-99' }, 'its bid is -99 and its ask 101'],
    [{ bid: '101.5' }, 'its bid of 101.5 is above its ask of 101'],
  ])('says what is wrong with %j', (change, problem) => {
    expect(tickerProblem(ticker(change))).toBe(problem)
  })
})

describe('klineProblem', () => {
  const kline = { openTime: 0, open: 100, high: 110, low: 90, close: 105, volume: 1 }

  it.each([{}, { volume: 0 }, { open: 110, close: 90 }, { open: 100, high: 100, low: 100, close: 100 }])(
    'finds nothing wrong with %j',
    change => {
      expect(klineProblem({ ...kline, ...change })).toBeUndefined()
    },
  )

  it.each<[Partial<Kline>, string]>([
    [{ open: 0 }, 'its open is 0'],
    [{ low: -1 }, 'its low is -1'],
    [{ close: Number.NaN }, 'its close is NaN'],
    [{ high: 104 }, 'its high of 104 is below another of its prices'],
    [{ low: 101 }, 'its low of 101 is above another of its prices'],
    [{ volume: -1 }, 'its volume is -1'],
  ])('says what is wrong with %j', (change, problem) => {
    expect(klineProblem({ ...kline, ...change })).toBe(problem)
  })
})

describe('depthProblem', () => {
  const side = (...levels: readonly (readonly [number, number])[]) =>
    levels.map(([price, quantity]) => ({ price: d(price), quantity: d(quantity) }))

  it.each<[string, ExchangeDepth]>([
    ['a book', { bids: side([99, 1], [98, 2]), asks: side([100, 1]) }],
    ['an empty side', { bids: [], asks: side([100, 1]) }],
    ['an empty book', { bids: [], asks: [] }],
  ])('finds nothing wrong with %s', (_name, depth) => {
    expect(depthProblem(depth)).toBeUndefined()
  })

  it.each<[string, ExchangeDepth]>([
    ['it has a price of 0', { bids: side([99, 1], [0, 2]), asks: [] }],
    ['it has a price of -1', { bids: [], asks: side([100, 1], [-1, 2]) }],
    ['it has a quantity of -2', { bids: side([99, -2]), asks: [] }],
    ['its bid of 101 is above its ask of 100', { bids: side([101, 1]), asks: side([100, 1]) }],
  ])('says %s', (problem, depth) => {
    expect(depthProblem(depth)).toBe(problem)
  })
})

describe('tradeProblem and indexPriceProblem', () => {
  const trade: ExchangeTrade = { id: '1', symbol: '', side: 'buy', price: d(100), quantity: d(1), time: 0 }
  const index: ExchangeIndexPrice = {
    ...{ contractName: 'E-BTC-USDT', indexPrice: d(100), markPrice: d(101), lastFundingRate: d('-0.0001') },
    ...{ nextFundingRate: undefined, time: undefined },
  }

  it('find nothing wrong with possible ones', () => {
    expect([tradeProblem(trade), indexPriceProblem(index)]).toEqual([undefined, undefined])
    expect(indexPriceProblem({ ...index, nextFundingRate: d('0.01') })).toBeUndefined()
  })

  it('say what is wrong', () => {
    expect(tradeProblem({ ...trade, price: d(0) })).toBe('its price is 0')
    expect(tradeProblem({ ...trade, quantity: d(-1) })).toBe('its quantity is -1')
    expect(indexPriceProblem({ ...index, markPrice: d(0) })).toBe('its mark price is 0')
    expect(indexPriceProblem({ ...index, indexPrice: d(-5) })).toBe('its index price is -5')
    expect(indexPriceProblem({ ...index, lastFundingRate: d(-2) })).toBe('its funding rate is -2')
    expect(indexPriceProblem({ ...index, nextFundingRate: d(3) })).toBe('its funding rate is 3')
  })
})

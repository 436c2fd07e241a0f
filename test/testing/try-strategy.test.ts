import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/domain/sluice-error.ts'
import {
  defineStrategy,
  enterLong,
  enterShort,
  exit,
  integer,
  type Signals,
} from '../../src/strategy/index.ts'
import { StrategyError } from '../../src/strategy/strategy-error.ts'
import { klineScript } from '../../src/testing/klines.ts'
import { tryStrategy } from '../../src/testing/try-strategy.ts'
import smaCross from '../../strategies/sma-cross.ts'

const HOUR = 3_600_000
const NEW_YEAR = Date.UTC(2024, 0, 1)

/** Gives these signals, one after each kline. */
const scripted = (...signals: readonly Signals[]) =>
  defineStrategy({
    name: 'scripted',
    state: () => ({ next: 0 }),
    onKline: (_kline, { state }) => signals[state.next++],
  })

describe('a strategy tried on a few klines', () => {
  it('shows signals, fills and round trips in plain numbers', () => {
    // Averages of 1 and of 2 closes: 10/10, 12/11 (a cross above), 13/12.5, 11/12 (a cross below).
    const market = klineScript('1h').closes(10, 10, 12, 13, 11, 11)
    const run = tryStrategy(smaCross, { klines: market, parameters: { fast: 1, slow: 2 } })
    expect(run.signals).toEqual([enterLong({ tag: 'cross' }), exit()])
    // A decision trades at the open of the next kline, which is the close before.
    expect(run.fills).toMatchObject([
      { kline: 3, side: 'buy', purpose: 'entry', price: 12, quantity: 1, fee: 0, tag: 'cross' },
      { kline: 5, side: 'sell', purpose: 'exit', price: 11, quantity: 1, fee: 0 },
    ])
    expect(run.roundTrips).toEqual([
      {
        direction: 'long',
        quantity: 1,
        entryPrice: 12,
        exitPrice: 11,
        profit: -1,
        exitReason: 'exit',
        entryTime: NEW_YEAR + 3 * HOUR,
        exitTime: NEW_YEAR + 5 * HOUR,
        tag: 'cross',
      },
    ])
    expect(run.position).toEqual({ direction: 'flat', quantity: 0, entryPrice: Number.NaN })
    expect(run.denials).toEqual([])
    expect(run.equity).toEqual([10_000, 10_000, 10_000, 10_001, 9999, 9999])
  })

  it('tells when each signal was given', () => {
    const run = tryStrategy(scripted(undefined, enterLong()), { klines: klineScript('1h').closes(1, 2, 3) })
    expect(run.decisions).toEqual([{ kline: 1, time: NEW_YEAR + 2 * HOUR, signal: enterLong() }])
  })

  it('fills and protects as a backtest does', () => {
    const bracket = enterLong({ stopLoss: 95, takeProfit: 110 })
    const market = klineScript('1h').closes(100, 100).ohlc([100, 103, 94, 96])
    const { fills, roundTrips, orders } = tryStrategy(scripted(bracket), { klines: market })
    expect(fills.map(({ kline, purpose, price }) => ({ kline, purpose, price }))).toEqual([
      { kline: 1, purpose: 'entry', price: 100 },
      { kline: 2, purpose: 'stopLoss', price: 95 },
    ])
    expect(roundTrips).toMatchObject([{ exitReason: 'stopLoss', profit: -5 }])
    expect(orders.map(({ purpose, type, price, status }) => ({ purpose, type, price, status }))).toEqual([
      { purpose: 'entry', type: 'market', price: undefined, status: 'filled' },
      { purpose: 'stopLoss', type: 'stop', price: 95, status: 'filled' },
      { purpose: 'takeProfit', type: 'limit', price: 110, status: 'canceled' },
    ])
  })

  it('shows limit orders that rest, and what is held at the end', () => {
    const bid = (price: number) =>
      enterLong({ order: { type: 'limit', price }, keep: true, scaleIn: true, tag: `${price}` })
    const market = klineScript('1h').closes(100, 100).ohlc([100, 100, 97, 98]).ohlc([98, 98, 95, 96])
    const run = tryStrategy(scripted([bid(98), bid(96), bid(90)]), { klines: market })
    expect(run.fills).toMatchObject([
      { kline: 2, price: 98, liquidity: 'maker', tag: '98' },
      { kline: 3, price: 96, liquidity: 'maker', tag: '96' },
    ])
    expect(run.position).toEqual({ direction: 'long', quantity: 2, entryPrice: 97 })
    expect(run.orders.at(-1)).toEqual({
      side: 'buy',
      purpose: 'entry',
      type: 'limit',
      price: 90,
      quantity: 1,
      filledQuantity: 0,
      status: 'open',
      tag: '90',
    })
  })

  it('takes balance, size and symbol', () => {
    const market = klineScript('1h').closes(100, 100, 110)
    const options = { klines: market, balance: 500, size: { equityFraction: 0.5 }, symbol: 'ETH/EUR' }
    const run = tryStrategy(scripted(enterLong()), options)
    expect(run.fills).toMatchObject([{ price: 100, quantity: 2.5 }])
    // 250 left, and 2.5 at 110.
    expect(run.equity).toEqual([500, 500, 525])
    const holdings = { ETH: 2, EUR: 0 }
    const seller = tryStrategy(scripted(exit()), { ...options, balance: holdings })
    expect(seller.equity.at(-1)).toBe(220)
  })

  it('takes fees, slippage and account from a configuration', () => {
    const config = {
      account: { type: 'margin', maxLeverage: 2 },
      instruments: { default: { takerFeeRate: '0.001' } },
      fills: { slippageRate: '0.01' },
    } as const
    const run = tryStrategy(scripted(enterShort()), { klines: klineScript('1h').closes(100, 100), config })
    // Sold at 1% less; the fee is a thousandth of 99.
    expect(run.fills).toMatchObject([{ side: 'sell', price: 99, fee: 0.099 }])
    expect(run.position).toEqual({ direction: 'short', quantity: 1, entryPrice: 99 })
  })

  it('holds contracts on a futures account', () => {
    const config = { account: { type: 'futures', leverage: 5 } } as const
    const run = tryStrategy(scripted(enterShort()), {
      klines: klineScript('1h').closes(100, 100, 90),
      config,
    })
    expect(run.position).toEqual({ direction: 'short', quantity: 1, entryPrice: 100 })
    expect(run.equity.at(-1)).toBe(10_010)
  })

  it('tells what risk denied, and why', () => {
    const run = tryStrategy(scripted(enterShort(), enterLong({ size: { base: 5 }, tag: 'big' })), {
      klines: klineScript('1h').closes(100, 100, 100),
      balance: 50,
    })
    expect(run.denials).toMatchObject([
      { kline: 0, rule: 'balance' },
      { kline: 1, rule: 'balance', tag: 'big' },
    ])
    expect(run.denials[1]?.message).toMatch(/\.$/)
    expect(run.fills).toEqual([])
  })

  it('is the same every time', () => {
    const market = klineScript('1h').closes(10, 10, 12, 13, 11, 11)
    const once = () => tryStrategy(smaCross, { klines: market, parameters: { fast: 1, slow: 2 } })
    expect(once()).toEqual(once())
  })

  it('plays over gaps', () => {
    const market = klineScript('1h').closes(100, 100).gap(5).closes(105)
    const run = tryStrategy(scripted(undefined, enterLong()), { klines: market })
    expect(run.fills).toMatchObject([{ kline: 2, price: 100, time: NEW_YEAR + 7 * HOUR }])
  })

  it('throws the error of a strategy that fails', () => {
    const failing = defineStrategy({
      name: 'failing',
      onKline() {
        throw new Error('no idea')
      },
    })
    expect(() => tryStrategy(failing, { klines: klineScript('1h').closes(1, 2) })).toThrow(StrategyError)
  })

  it('refuses klines that end before the first decision', () => {
    const market = klineScript('1h').closes(1, 2)
    expect(() => tryStrategy(smaCross, { klines: market, parameters: { fast: 1, slow: 2 } })).toThrow(
      'Strategy "sma-cross" decides nothing before it has seen 2 klines, and there are 2; write more klines, or give smaller parameters.',
    )
  })

  it.each([
    [{ parameters: { fas: 3 } }, /has no parameter "fas"\. Did you mean "fast"\?/],
    [{ balance: -5 }, /account\.balance\.USDT must be an amount of at least 0/],
    [{ symbol: 'BTCUSDT' }, /"BTCUSDT" is not a symbol; write BASE\/QUOTE/],
    [{ size: { quote: 1, base: 1 } as never }, /size has 2 of the keys/],
    [
      { config: { fills: { slippage: 1 } } as never },
      /The key "slippage" is unknown\. Did you mean "slippageRate"\?/,
    ],
  ])('refuses %o in a sentence', (options, sentence) => {
    const market = klineScript('1h').closes(1, 2, 3, 4)
    const attempt = () =>
      tryStrategy(smaCross, { klines: market, parameters: { fast: 1, slow: 2 }, ...options })
    expect(attempt).toThrow(UsageError)
    expect(attempt).toThrow(sentence)
  })

  it('needs five lines in the test of a strategy', () => {
    const strategy = defineStrategy({
      name: 'dip',
      parameters: { dip: integer({ default: 1, min: 1, max: 9, description: 'Fall to buy.' }) },
      onKline: (kline, { parameters: { dip }, position }) =>
        position.direction === 'flat' && kline.open - kline.close >= dip ? enterLong() : undefined,
    })
    const run = tryStrategy(strategy, {
      klines: klineScript('1h').closes(100, 98, 99),
      parameters: { dip: 2 },
    })
    expect(run.signals).toEqual([enterLong()])
    expect(run.fills).toMatchObject([{ kline: 2, price: 98 }])
  })
})

import { describe, expect, it } from 'vitest'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { defineStrategy, enterLong, exit, rsi, sma } from '../../src/strategy/index.ts'
import smaCross from '../../strategies/sma-cross.ts'
import { turner } from '../parity/turner.ts'
import { hasShared } from '../shared-data.ts'
import { comparedLife, comparedLifeTwice, partsOf } from './compared-bot.ts'

const CROSS = { strategy: smaCross, parameters: { fast: 5, slow: 20 } }
const FUTURES = { type: 'futures', leverage: 5, marginMode: 'isolated', positionMode: 'oneWay' } as const
const FUTURES_OF_TWO = { leverage: 5, marginMode: 'isolated', positionMode: 'oneWay' } as const

/** Buys when the RSI is low, with a stop and a target near by. */
const bracketed = defineStrategy({
  name: 'bracketed',
  indicators: () => ({ rsi: rsi(7) }),
  onKline({ close }, { indicators, position }) {
    if (position.direction === 'long') return indicators.rsi.value > 75 ? exit() : undefined
    if (indicators.rsi.value < 35)
      return enterLong({ stopLoss: close * 0.999, takeProfit: { fraction: 0.002 } })
  },
})

describe.runIf(hasShared('data', 'binance-btcusdt-1m.csv.gz'))('an undisturbed bot', () => {
  it('does to the last digit what its backtest does, on spot', async () => {
    const comparison = await comparedLife({ strategies: [CROSS] })
    expect(comparison.orders.length).toBeGreaterThan(8)
    expect(partsOf(comparison)).toEqual({})
    expect(comparison.verdict).toBe('asPromised')
    expect(comparison.live).toBe(comparison.backtest)
  })

  it('has no unexplained difference with several strategies, stops and targets', async () => {
    const comparison = await comparedLife({
      strategies: [
        { ...CROSS, size: { quote: 2000 } },
        { strategy: bracketed, size: { quote: 2000 } },
        { strategy: smaCross, interval: '5m', parameters: { fast: 2, slow: 5 }, size: { quote: 2000 } },
      ],
    })
    expect(comparison.orders.length).toBeGreaterThan(30)
    expect(
      comparison.orders.filter(({ live, backtest }) => live === undefined || backtest === undefined),
    ).toEqual([])
    expect(comparison.parts.unexplained).toBe(0n)
    expect(comparison.verdict).toBe('asPromised')
  })

  it('goes on from the memory that the strategy had at the beginning, however often it is compared', async () => {
    const counting = defineStrategy({
      name: 'counting',
      state: () => ({ klines: 0, seen: new Map<string, number>() }),
      onKline(_kline, { state }) {
        state.klines++
        state.seen.set('klines', state.klines)
        if (state.seen.get('klines') !== state.klines) throw new Error('The parts of the memory are apart.')
        if (state.klines % 10 === 1) return enterLong()
        if (state.klines % 10 === 5) return exit()
      },
    })
    const comparisons = await comparedLifeTwice({ strategies: [{ strategy: counting }], minutes: 47 })
    for (const comparison of comparisons) {
      // Klines 1, 5, 11, 15, ..., 41, 45.
      expect(comparison.orders.length).toBe(10)
      expect(partsOf(comparison)).toEqual({})
      expect(comparison.verdict).toBe('asPromised')
    }
    expect(comparisons).toHaveLength(2)
  })

  it('sizes by an equity that contains what a futures position has earned since its entry', async () => {
    const flips = defineStrategy({
      name: 'flips',
      indicators: () => ({ average: sma(3) }),
      state: () => ({ klines: 0 }),
      onKline(_kline, { state, position }) {
        state.klines++
        if (state.klines % 20 !== 0) return undefined
        return position.direction === 'flat' ? enterLong() : exit()
      },
    })
    const holds = defineStrategy({
      name: 'holds',
      indicators: () => ({ average: sma(3) }),
      onKline: (_kline, { position }) => (position.direction === 'flat' ? enterLong() : undefined),
    })
    const comparison = await comparedLife({
      strategies: [
        { strategy: flips, size: { equityFraction: 0.2 } },
        { strategy: holds, symbol: 'E-BTC-USDT', size: { quote: 30_000 } },
      ],
      accounts: { accounts: { spot: {}, futures: FUTURES_OF_TWO } },
      exchange: {
        accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '10000' }, futuresBalances: { USDT: '10000' } }],
        futures: { contracts: [{ symbol: 'E-BTC-USDT', pricePrecision: 2 }] },
      },
    })
    const entries = comparison.orders.filter(({ live }) => live?.request.symbol === 'BTC/USDT')
    expect(entries.length).toBeGreaterThan(6)
    for (const { live, backtest } of entries) expect(backtest?.request.quantity).toBe(live?.request.quantity)
    // A fifth of the equity at each entry.
    expect(partsOf(comparison).sizes).toBeUndefined()
    expect(comparison.verdict).toBe('asPromised')
  })

  it('has no unexplained difference on futures, with funding', async () => {
    const comparison = await comparedLife({
      strategies: [{ strategy: turner, size: { equityFraction: 0.8 } }],
      accounts: { account: FUTURES },
      exchange: {
        accounts: [{ ...TEST_ACCOUNT, balances: {}, futuresBalances: { USDT: '10000' } }],
        futures: {
          contracts: [{ symbol: 'E-BTC-USDT', pricePrecision: 2, fundingHours: 1, fundingRate: '0.0001' }],
        },
      },
    })
    expect(comparison.orders.length).toBeGreaterThan(20)
    expect(comparison.fundings.live.length).toBeGreaterThan(1)
    expect(comparison.parts.unexplained).toBe(0n)
    expect(comparison.verdict).toBe('asPromised')
  })
})

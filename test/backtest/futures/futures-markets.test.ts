import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../../backtest/models/fill-settings.ts'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import type { BacktestMarket } from '../../../backtest/run/backtest-options.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { amountOf, amountToText, rateOf } from '../../../src/domain/numbers/amount.ts'
import type { Signal } from '../../../src/domain/signal.ts'
import { enterLong, enterShort } from '../../../src/strategy/index.ts'
import { scripted } from '../../engine/engine-session.ts'
import { klinesOf, QUIET, type Row } from '../kline-table.ts'
import { contractWith } from './contract-run.ts'

const CROSS = contractWith({ marginMode: 'cross', leverage: 50 })

function marketOf(
  base: string,
  script: Readonly<Record<number, Signal | readonly Signal[]>>,
  rows: readonly Row[],
): BacktestMarket {
  return {
    klines: klinesOf(rows),
    instrument: { ...CROSS, symbol: `${base}/USDT`, base },
    interval: '1m',
    strategy: scripted(script),
    parameters: {},
    size: { base: 1 },
    futures: {
      funding: { type: 'list', length: 1, time: Float64Array.of(180_000), rate: Float64Array.of(0.001) },
    },
  }
}

function run(markets: readonly BacktestMarket[], quote: string): BacktestResult {
  return runBacktest({
    markets,
    balances: new Map([['USDT', amountOf(quote)]]),
    fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0 },
    sizingReference: 'decision',
    closeAtEnd: 'no',
  })
}

describe('several contracts on one cross account', () => {
  const resting = enterLong({ order: { type: 'limit', price: 60 } })
  const script = { 0: enterShort({ size: { base: 5 }, stopLoss: 130 }), 1: resting }
  const fall: Row = [100, 100, 90, 95]
  const later: Row = [100, 140, 50, 100]

  it('are liquidated together by the fall of one, and nothing of them trades after that', () => {
    const result = run(
      [
        marketOf('BTC', { 0: enterLong({ size: { base: 10 } }) }, [QUIET, QUIET, fall, QUIET, QUIET]),
        marketOf('ETH', script, [QUIET, QUIET, QUIET, later, QUIET]),
      ],
      '100',
    )
    // 100 + 10 × (p − 100) comes down to 1% of 10 × p + 500 at 905 ÷ 9.9 = 91.414…
    expect(
      result.liquidations.map(({ symbol, direction, price }) => [symbol, direction, price / 100]),
    ).toEqual([
      ['BTC/USDT', 'long', 91.41],
      ['ETH/USDT', 'short', 100],
    ])
    expect(amountToText(result.balances.get('USDT') ?? amountOf('1'))).toBe('0')
    expect(result.fills).toHaveLength(4)
    expect(result.openPositions).toEqual([])
    expect(result.workingOrders).toBe(0)
    expect(result.ruined).toBe(true)
    expect(result.funding).toEqual([])
  })

  it('count inside a kline at its close if they come before in the list of markets, at its open if after', () => {
    const bought = marketOf('BTC', { 0: enterLong({ size: { base: 10 } }) }, [QUIET, QUIET, fall, QUIET])
    const sold = marketOf('ETH', { 0: enterShort({ size: { base: 5 } }) }, [
      ...[QUIET, QUIET, [100, 100, 96, 96]],
      [96, 96, 96, 96],
    ] as Row[])
    // At its open of 100 ETH has gained nothing: 91.414… as above. At its close of 96 it has gained 20, and 10 × p + 480 asks for
    // 884.8 ÷ 9.9 = 89.37…, below the low of 90.
    expect(run([bought, sold], '100').liquidations.map(({ price }) => price / 100)).toEqual([91.41, 100])
    expect(run([sold, bought], '100').liquidations).toEqual([])
  })

  it('each pay their own funding once', () => {
    const rows = [QUIET, QUIET, QUIET, QUIET, QUIET]
    const result = run(
      [
        marketOf('BTC', { 0: enterLong({ size: { base: 10 } }) }, rows),
        marketOf('ETH', { 0: enterShort({ size: { base: 5 } }) }, rows),
      ],
      '10000',
    )
    expect(result.funding.map(({ symbol, amount }) => [symbol, amountToText(amount)])).toEqual([
      ['BTC/USDT', '1'],
      ['ETH/USDT', '-0.5'],
    ])
    expect(result.equity.at(-1)).toBeCloseTo(9999.5, 9)
    expect(result.margin?.highestLeverage).toBeCloseTo(0.15, 3)
  })

  it('end, and pay a constant rate each, where one holds contracts before the other has begun', () => {
    const constant = { type: 'constant', rate: rateOf('0.001'), intervalHours: 1 } as const
    const rows = Array.from({ length: 4 }, (): Row => [100, 100, 100, 100])
    const [first, second] = ['BTC', 'ETH'].map((base, index) => {
      const market = marketOf(base, { [index]: enterLong({ size: { base: 10 } }) }, rows)
      const openTime = market.klines.openTime.map(time => 60 * time)
      const klines = { ...market.klines, openTime }
      return { ...market, klines, interval: '1h', futures: { funding: constant } } as const
    }) as [BacktestMarket, BacktestMarket]
    const { funding } = run([first, second], '10000')
    // A thousandth of 1000 at each hour at whose beginning contracts are held already.
    expect(
      funding.map(({ symbol, time, amount }) => [symbol, time / 3_600_000, amountToText(amount)]),
    ).toEqual([
      ['BTC/USDT', 2, '1'],
      ['BTC/USDT', 3, '1'],
      ['ETH/USDT', 3, '1'],
    ])
  })
})

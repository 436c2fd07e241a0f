import { metricsOf } from '../../../backtest/metrics/metrics.ts'
import type { BacktestReport } from '../../../backtest/report/backtest-report.ts'
import { amountOf, ZERO } from '../../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import { SPOT } from '../metrics/market.ts'
import { roundTrip } from '../results/round-trip.ts'

const DAY = 86_400_000
export const HOUR = DAY / 24
export const START = Date.UTC(2018, 0, 1)

/** A report of two days. */
export function sampleReport(): BacktestReport {
  const roundTrips = [
    { ...roundTrip('149.25', [START, START + 26.5 * HOUR], '30.2'), tag: 'cross' },
    roundTrip('-0.001', [START + DAY, START + DAY + 5 * 60_000]),
  ]
  const time = [START + DAY, START + 2 * DAY]
  const equity = { startTime: START, startEquity: 10_000, time, equity: [9900, 10_149.249] }
  const benchmark = { startTime: START, startEquity: 9000, time, equity: [9450, 9900] }
  const klines = {
    length: 2,
    openTime: Float64Array.of(START, START + DAY),
    open: Float64Array.of(9000, 9450),
    high: Float64Array.of(10_200, 10_000),
    low: Float64Array.of(8900, 9400),
    close: Float64Array.of(9450, 9900),
    volume: Float64Array.of(1, 2),
  }
  const markets = [{ instrument: SPOT, interval: '1d' as const, klines }]
  const fills = [
    {
      id: 'f1',
      clientOrderId: 'o1',
      symbol: 'BTC/USDT',
      book: 'BTC/USDT',
      side: 'buy' as const,
      price: ticks(1_000_050),
      quantity: steps(150_000),
      fee: amountOf('0.0015'),
      feeAsset: 'BTC',
      liquidity: 'taker' as const,
      time: START,
      rule: 'marketAtOpen' as const,
      tag: 'cross',
      klineOpenTime: START,
      priceBeforeSlippage: ticks(1_000_000),
      slippage: amountOf('0.75'),
    },
  ]
  const intent = { symbol: 'BTC/USDT', side: 'buy' as const, reduceOnly: false }
  const openPositions = [
    { symbol: 'BTC/USDT', book: 'BTC/USDT', direction: 'long' as const, quantity: steps(25_000), lots: [] },
  ]
  return {
    strategy: 'sma-cross',
    manifest: {
      version: '0.1.0',
      node: 'v26.10.0',
      code: 'c0de',
      imports: { files: [], packages: [], unresolved: [] },
      config: 'c0f1',
      data: [{ file: 'k.csv', sha256: 'ab', klines: 2 }],
      seed: 7,
      symbol: 'BTC/USDT',
      interval: '1d',
      from: START,
      to: START + 2 * DAY,
      klines: 2,
      gaps: { policy: 'fail', count: 0, missing: 0 },
      parameters: { fast: 5, slow: 20 },
      inputs: {
        strategy: 'strategies/sma-cross.ts',
        data: { file: 'k.csv' },
        config: { account: { type: 'spot' } },
      },
    },
    settings: { account: { type: 'spot', balance: new Map([['USDT', amountOf('10000')]]) } },
    metrics: metricsOf({ curve: equity, benchmark, markets, roundTrips, fills, openPositions }),
    quote: 'USDT',
    markets,
    roundTrips,
    fills,
    equity,
    profit: {
      ...{
        startEquity: amountOf('10000'),
        roundTrips: amountOf('149.249'),
        openPositions: ZERO,
        funding: ZERO,
      },
      ...{ startingBase: ZERO, dust: ZERO, borneLoss: ZERO, writtenOff: ZERO, unexplained: ZERO },
      endEquity: amountOf('10149.249'),
    },
    benchmark,
    signals: 5,
    orders: 30,
    denials: new Map([
      ['minimumNotional', { count: 2, first: 'The order is worth 9 USDT.', intent }],
      ['balance', { count: 1, first: 'The order needs 2 BTC.', intent }],
    ]),
    openPositions,
    ruined: false,
    ambiguity: { policy: 'pessimistic', roundTrips: [1], openPositions: [] },
  }
}

import { describe, expect, it } from 'vitest'
import { metricsOf } from '../../backtest/metrics.ts'
import type { BacktestReport } from '../../backtest/report.ts'
import { resultJson } from '../../backtest/result-json.ts'
import { resultTable } from '../../backtest/result-table.ts'
import { amountOf, rateOf } from '../../src/domain/amount.ts'
import type { Denial, DenialRule } from '../../src/domain/denial.ts'
import { steps, ticks } from '../../src/domain/grid.ts'
import { roundTrip } from './round-trip.ts'

const DAY = 86_400_000
const HOUR = DAY / 24
const START = Date.UTC(2018, 0, 1)

function report(): BacktestReport {
  const roundTrips = [
    { ...roundTrip('149.25', [START, START + 26.5 * HOUR], '30.2'), tag: 'cross' },
    roundTrip('-0.001', [START + DAY, START + DAY + 5 * 60_000]),
  ]
  const equity = {
    startTime: START,
    startEquity: 10_000,
    time: [START + DAY, START + 2 * DAY],
    equity: [9900, 10_149.249],
  }
  return {
    manifest: {
      version: '0.1.0',
      code: 'c0de',
      config: 'c0f1',
      data: [{ file: 'k.csv', sha256: 'ab', klines: 2 }],
      seed: 7,
      symbol: 'BTC/USDT',
      interval: '1d',
      from: START,
      to: START + 2 * DAY,
      klines: 2,
      parameters: { fast: 5, slow: 20 },
    },
    metrics: metricsOf({ curve: equity, roundTrips }),
    instrument: {
      symbol: 'BTC/USDT',
      base: 'BTC',
      quote: 'USDT',
      pricePrecision: 2,
      quantityPrecision: 5,
      minPrice: ticks(1),
      minQuantity: steps(1),
      maxQuantity: steps(10 ** 12),
      minNotional: amountOf('10'),
      leverage: { min: 1, max: 1 },
      accountType: 'spot',
      fees: { maker: rateOf('0.001'), taker: rateOf('0.001'), paidIn: 'received' },
    },
    roundTrips,
    fills: [
      {
        id: 'f1',
        clientOrderId: 'o1',
        symbol: 'BTC/USDT',
        side: 'buy',
        price: ticks(1_000_050),
        quantity: steps(150_000),
        fee: amountOf('0.0015'),
        feeAsset: 'BTC',
        liquidity: 'taker',
        time: START,
      },
    ],
    equity,
    signals: 5,
    denials: [
      denial('minimumNotional', 'The order is worth 9 USDT.'),
      denial('balance', 'The order needs 2 BTC.'),
      denial('minimumNotional', 'The order is worth 8 USDT.'),
    ],
    openPosition: {
      symbol: 'BTC/USDT',
      direction: 'long',
      quantity: steps(25_000),
      lots: [],
    },
    ruined: false,
  }
}

function denial(rule: DenialRule, message: string): Denial {
  const intent = {
    clientOrderId: 'o2',
    strategy: 'sma-cross',
    symbol: 'BTC/USDT',
    side: 'buy',
    purpose: 'entry',
    plan: { type: 'market' },
    quantity: amountOf('0.001'),
    reduceOnly: false,
    decidedAt: START,
    referencePrice: ticks(1_000_050),
  } as const
  return { rule, limit: '10 USDT', actual: '9 USDT', message, intent }
}

describe('resultJson', () => {
  it('writes a round trip with exact decimals, its keys in order', () => {
    expect(JSON.stringify(resultJson(report()).roundTrips[0])).toBe(
      `{"symbol":"BTC/USDT","direction":"long","quantity":1.50000,"entryTime":${START},"entryPrice":10000.50,` +
        `"exitTime":${START + 26.5 * HOUR},"exitPrice":10100.00,"pnl":149.25,"fees":30.2,` +
        `"entryReason":"entry","exitReason":"takeProfit","tag":"cross"}`,
    )
  })

  it('writes a fill with exact decimals', () => {
    expect(JSON.stringify(resultJson(report()).fills)).toBe(
      `[{"id":"f1","clientOrderId":"o1","symbol":"BTC/USDT","side":"buy","price":10000.50,"quantity":1.50000,` +
        `"fee":0.0015,"feeAsset":"BTC","liquidity":"taker","time":${START}}]`,
    )
  })

  it('keeps digits that a double does not hold', () => {
    const [trip] = report().roundTrips
    const roundTrips = trip === undefined ? [] : [{ ...trip, pnl: amountOf('-1234567.000000000000000001') }]
    const text = JSON.stringify(resultJson({ ...report(), roundTrips }).roundTrips)
    expect(text).toContain('"pnl":-1234567.000000000000000001,')
  })

  it('counts denials by rule', () => {
    expect(resultJson(report()).denials).toEqual({ minimumNotional: 2, balance: 1 })
  })

  it('has its parts in one order, and equity as pairs', () => {
    const json = resultJson(report())
    expect(Object.keys(json)).toEqual(['manifest', 'metrics', 'roundTrips', 'fills', 'denials', 'equity'])
    expect(json.equity).toEqual([
      [START + DAY, 9900],
      [START + 2 * DAY, 10_149.249],
    ])
  })

  it('reads equity from typed arrays as well', () => {
    const typed = report()
    const equity = { ...typed.equity, time: Float64Array.of(1, 2), equity: Float64Array.of(3, 4) }
    expect(JSON.stringify(resultJson({ ...typed, equity }).equity)).toBe('[[1,3],[2,4]]')
  })

  it('has null for a tag that is not there, so that every row has the same keys', () => {
    expect(resultJson(report()).roundTrips[1]).toHaveProperty('tag', null)
  })
})

describe('resultTable', () => {
  const rows = (table: string) =>
    Object.fromEntries(
      table
        .split('\n')
        .filter(line => line.startsWith('│'))
        .map(line => line.split('│').map(cell => cell.trim()))
        .map(([, label, value]) => [label, value]),
    )

  it('shows a trader what the run came to', () => {
    expect(rows(resultTable(report()))).toEqual({
      Market: 'BTC/USDT 1d',
      From: '2018-01-01 00:00',
      To: '2018-01-03 00:00',
      Klines: '2',
      Parameters: 'fast 5, slow 20',
      'Start equity': '10000.00 USDT',
      'End equity': '10149.25 USDT',
      'Total return': '1.49 %',
      'Annual return (CAGR)': '-',
      'Max drawdown': '-1.00 %',
      'Longest drawdown': '2d 0h',
      'Sharpe ratio': '-',
      Exposure: '55.21 %',
      'Round trips': '2',
      'Win rate': '50.00 %',
      'Profit factor': '149250.00',
      Expectancy: '74.62 USDT',
      Best: '149.25 USDT',
      Worst: '0.00 USDT',
      'Average duration': '13h 17m',
      Fees: '30.20 USDT',
      Signals: '5',
      Fills: '1',
      'Denied orders': '3',
      'Open at the end': 'long 0.25000 BTC',
    })
  })

  it('says below it what was denied, with the first message of each rule', () => {
    expect(resultTable(report()).split('\n').slice(-2)).toEqual([
      'Denied 2 × by minimumNotional; the first: The order is worth 9 USDT.',
      'Denied 1 × by balance; the first: The order needs 2 BTC.',
    ])
  })

  it('says that the account was ruined', () => {
    expect(resultTable({ ...report(), ruined: true })).toMatch(/\nRuined: equity fell to zero.*$/)
  })

  it('has no position where nothing is held at the end', () => {
    expect(rows(resultTable({ ...report(), openPosition: undefined }))).toMatchObject({
      'Open at the end': '-',
    })
  })

  it('has no colours', () => {
    expect(resultTable(report())).not.toContain('\u001b')
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EquityCurve } from '../../../../backtest/metrics/returns/equity-curve.ts'
import type { BacktestReport } from '../../../../backtest/report/backtest-report.ts'
import { equityJsonBytes, writeEquityJson } from '../../../../backtest/report/export/equity-json.ts'
import { exactNumber } from '../../../../backtest/report/export/exact-number.ts'
import { resultJson } from '../../../../backtest/report/export/result-json.ts'
import { type Amount, amountOf } from '../../../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../../../src/domain/numbers/grid.ts'
import { HOUR, START, sampleReport } from '../sample-report.ts'

const textOf = (report: BacktestReport) => new TextDecoder().decode(resultJson(report))
const DAY = 24 * HOUR

describe('resultJson', () => {
  it('is one line', () => {
    expect(textOf(sampleReport())).toMatch(/^\{.*\}\n$/)
  })

  it('writes a round trip with all its digits, its keys in order', () => {
    // Entered at 10,000.50 and exited at 10,100.00; in between the lows were 8900 and the highs 10,200.
    expect(textOf(sampleReport())).toContain(
      `"roundTrips":[{"symbol":"BTC/USDT","direction":"long","quantity":1.5,"entryTime":${START},` +
        `"entryPrice":10000.5,"exitTime":${START + 26.5 * HOUR},"exitPrice":10100,"pnl":149.25,"fees":30.2,` +
        `"entryReason":"entry","exitReason":"takeProfit","tag":"cross","mae":0.110044,"mfe":0.019949,"ambiguous":false},`,
    )
  })

  it('says how many round trips depend on the path inside a kline, and which', () => {
    const { ambiguity, roundTrips } = JSON.parse(textOf(sampleReport()))
    expect(ambiguity).toEqual({
      ...{ path: 'pessimistic', ambiguousRoundTrips: 1, roundTrips: 2, ambiguousOpenPositions: 0 },
    })
    expect(roundTrips.map(({ ambiguous }: { ambiguous: boolean }) => ambiguous)).toEqual([false, true])
  })

  it('says what the market cut off, which exits were replaced, and how many stops filled late', () => {
    const report = sampleReport() // quantities have 5 decimals
    const quantities = { ordered: steps(2_500_000), untraded: steps(1_500_000) }
    const cut = { symbol: 'BTC/USDT', purpose: 'entry', cause: 'maxVolumeShare', count: 1 } as const
    const exit = {
      symbol: 'BTC/USDT',
      strategy: 'sma-cross',
      side: 'sell',
      by: 'enter',
      time: START,
    } as const
    const missed = {
      type: 'targetMissed',
      ...{ symbol: 'BTC/USDT', book: 'BTC/USDT', strategy: 'sma-cross' },
      ...{ missing: amountOf('0.000004'), price: ticks(100_000_000_000), time: START },
    } as const // at 1,000,000,000
    const told = JSON.parse(
      textOf({
        ...{ ...report, cutOrders: [{ ...cut, ...quantities }] },
        missedTargets: [{ count: 247, first: missed }],
        replacedExits: [{ ...exit, type: 'exitReplaced', book: 'BTC/USDT', quantity: steps(1_500_000) }],
        fills: report.fills.map(fill => ({ ...fill, rule: 'triggeredRest' })),
      }),
    )
    expect(told.cutOrders).toEqual([{ ...cut, ordered: 25, untraded: 15 }])
    expect(told.missedTargets).toEqual([
      { symbol: 'BTC/USDT', count: 247, firstTime: START, step: 0.00001, stepNotional: 10_000 },
    ])
    expect(told.replacedExits).toEqual([{ ...exit, quantity: 15 }])
    expect(told.lateStops).toEqual({ fills: 1, firstTime: START })
    const { cutOrders, missedTargets, replacedExits, lateStops } = JSON.parse(
      textOf({ ...report, cutOrders: [], missedTargets: [], replacedExits: [] }),
    )
    const sections = [cutOrders, missedTargets, replacedExits, lateStops]
    expect(sections.filter(section => section !== undefined)).toEqual([])
  })

  it('writes a fill with all its digits', () => {
    expect(textOf(sampleReport())).toContain(
      `"fills":[{"id":"f1","clientOrderId":"o1","symbol":"BTC/USDT","side":"buy","price":10000.5,"quantity":1.5,` +
        `"fee":0.0015,"feeAsset":"BTC","liquidity":"taker","slippage":0.75,"time":${START},` +
        `"rule":"marketAtOpen","klineOpenTime":${START},"priceBeforeSlippage":10000,"tag":"cross"}]`,
    )
  })

  it.each([
    ['0.000000000000000003', '3e-18'],
    ['0', '0'],
  ])('writes what a fill lost to slippage exactly: %s', (slippage, text) => {
    const report = sampleReport()
    const fills = report.fills.map(fill => ({ ...fill, slippage: amountOf(slippage) }))
    expect(textOf({ ...report, fills })).toContain(`"liquidity":"taker","slippage":${text},"time"`)
  })

  it('keeps digits that a double does not hold', () => {
    const report = sampleReport()
    const roundTrips = report.roundTrips.map(trip => ({
      ...trip,
      pnl: amountOf('-1234567.000000000000000001'),
    }))
    expect(textOf({ ...report, roundTrips })).toContain('"pnl":-1234567.000000000000000001,')
  })

  it('escapes what a strategy calls a tag', () => {
    const report = sampleReport()
    const tag = 'a "quote", a \\ and a\nline'
    const roundTrips = report.roundTrips.map(trip => ({ ...trip, tag }))
    expect(JSON.parse(textOf({ ...report, roundTrips })).roundTrips[1].tag).toBe(tag)
  })

  it('has its parts in one order', () => {
    expect(Object.keys(JSON.parse(textOf(sampleReport())))).toEqual([
      'manifest',
      'metrics',
      'roundTrips',
      'fills',
      'denials',
      'ambiguity',
      'profit',
      'equity',
    ])
  })

  it('says with all digits where the change of equity came from', () => {
    const sample = sampleReport()
    // One unit of 10^-18 more than a double holds.
    const [dust, endEquity] = [amountOf('0.000000000000000001'), amountOf('10149.249000000000000001')]
    const text = textOf({ ...sample, profit: { ...sample.profit, dust, endEquity } })
    expect(text).toContain(
      '"profit":{"startEquity":10000,"roundTrips":149.249,"openPositions":0,"funding":0,"startingBase":0,"dust":1e-18,"borneLoss":0,"writtenOff":0,"unexplained":0,"endEquity":10149.249000000000000001}',
    )
  })

  it('counts denials by rule', () => {
    expect(JSON.parse(textOf(sampleReport())).denials).toEqual({ minimumNotional: 2, balance: 1 })
  })

  it('has figures as numbers, and null and a reason for those that are not available', () => {
    const { metrics } = JSON.parse(textOf(sampleReport()))
    expect(metrics).toMatchObject({
      startEquity: 10_000,
      endEquity: 10_149.249,
      roundTrips: 2,
      winRate: 0.5,
      cagr: null,
      sharpe: null,
      convention: { daysPerYear: 365, ddof: 1, riskFreeRate: 0 },
      months: [{ year: 2018, month: 1, days: 2 }],
    })
    expect(metrics.notAvailable).toMatchObject({
      cagr: 'needs at least 180 days, has 2',
      sharpe: 'needs at least 30 daily returns, has 2',
    })
    for (const [name, value] of Object.entries(metrics)) {
      expect(value === null).toBe(Object.hasOwn(metrics.notAvailable, name))
    }
  })

  it('has the parts that only some runs have', () => {
    const PART = {
      kind: 'market' as const,
      name: 'one',
      roundTrips: 2,
      netProfit: 149.249,
      fees: 30.2,
      exposure: 0.5,
    }
    const report = sampleReport()
    const json = JSON.parse(
      textOf({
        ...report,
        bounds: { worst: report.metrics, best: report.metrics, areAlike: true },
        funding: [{ symbol: 'BTC/USDT', time: START, amount: amountOf('-0.000000000000000001') }],
        parts: [PART],
      }),
    )
    expect(json).toMatchObject({
      bounds: { areAlike: true, worst: { roundTrips: 2 }, best: { roundTrips: 2 } },
      funding: [{ symbol: 'BTC/USDT', time: START, amount: -1e-18 }],
      parts: [PART],
    })
  })
})

describe('exactNumber', () => {
  it('is written with all digits of any amount', () => {
    const units = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 18 }), (unit, zeros) => {
        const amount = (unit * 10n ** BigInt(zeros)) as Amount // any whole number of units is one
        expect(amountOf(JSON.stringify(exactNumber(amount)))).toBe(amount)
      }),
    )
  })

  it('is a plain number where its digits fit', () => {
    expect(exactNumber(amountOf('-238.3975582996'))).toBe(-238.3975582996)
  })
})

/** Written after three other bytes, into as many as it says it may take. */
function textAfterOthers(curve: EquityCurve): string {
  const bytes = new Uint8Array(3 + equityJsonBytes(curve))
  return new TextDecoder().decode(bytes.subarray(3, writeEquityJson(curve, bytes, 3)))
}

describe('writeEquityJson', () => {
  const written = (time: ArrayLike<number>, equity: ArrayLike<number>) =>
    textAfterOthers({ startTime: 0, startEquity: 0, time, equity })

  it('pairs each close with the worth then', () => {
    expect(written([START + DAY, START + 2 * DAY], [9900, 10_149.249])).toBe(
      `[[${START + DAY},9900],[${START + 2 * DAY},10149.249]]`,
    )
  })

  it('is an empty array without klines', () => {
    expect(written([], [])).toBe('[]')
  })

  it('writes exactly what JSON.stringify writes, whatever the times and worths', () => {
    const time = fc.oneof(
      fc.integer({ min: -1e13, max: 1e15 }),
      fc.maxSafeInteger(),
      fc.constantFrom(0, 999_999, 1e6),
    )
    const worth = fc.oneof(
      fc.double({ noNaN: true }),
      fc.integer(),
      fc.constantFrom(0, -0, 1e-7, 1e21, -5e-324),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(time, worth)), pairs => {
        const [times, worths] = [pairs.map(([at]) => at), pairs.map(([, value]) => value)]
        expect(written(Float64Array.from(times), Float64Array.from(worths))).toBe(JSON.stringify(pairs))
      }),
    )
  })
})

import { describe, expect, it } from 'vitest'
import type { BacktestReport } from '../../../../backtest/report/backtest-report.ts'
import { resultCsv } from '../../../../backtest/report/export/result-csv.ts'
import { atOnce } from '../../../../backtest/run/resumable.ts'
import { HOUR, START, sampleReport } from '../sample-report.ts'

const csvOf = (report: BacktestReport) => atOnce(resultCsv(report))

describe('resultCsv', () => {
  it('writes round trips with exact decimals and times in UTC', () => {
    expect(csvOf(sampleReport())[0]).toEqual({
      name: 'round-trips.csv',
      text:
        'symbol,direction,quantity,entryTime,entryPrice,exitTime,exitPrice,pnl,fees,entryReason,exitReason,tag,mae,mfe,ambiguous\n' +
        'BTC/USDT,long,1.50000,2018-01-01T00:00:00.000Z,10000.50,2018-01-02T02:30:00.000Z,10100.00,149.25,30.2,entry,takeProfit,cross,0.110044,0.019949,false\n' +
        'BTC/USDT,long,1.50000,2018-01-02T00:00:00.000Z,10000.50,2018-01-02T00:05:00.000Z,10100.00,-0.001,0,entry,takeProfit,,0,0.00995,true\n',
    })
  })

  it('writes fills', () => {
    expect(csvOf(sampleReport())[1]).toEqual({
      name: 'fills.csv',
      text:
        'id,clientOrderId,symbol,side,price,quantity,fee,feeAsset,liquidity,slippage,time,rule,klineOpenTime,priceBeforeSlippage,tag\n' +
        'f1,o1,BTC/USDT,buy,10000.50,1.50000,0.0015,BTC,taker,0.75,2018-01-01T00:00:00.000Z,marketAtOpen,2018-01-01T00:00:00.000Z,10000.00,cross\n',
    })
  })

  it('writes equity beside buy and hold of the same start, and the drawdown', () => {
    // Buy and hold: 10,000 ÷ 9000 × 9450 and × 9900.
    expect(csvOf(sampleReport())[2]?.text.split('\n')).toEqual([
      'time,equity,buyAndHold,drawdown',
      expect.stringMatching(/^2018-01-02T00:00:00\.000Z,9900,10500(\.0+\d)?,0\.010000000000000009$/),
      expect.stringMatching(/^2018-01-03T00:00:00\.000Z,10149\.249,11000(\.0+\d)?,0$/),
      '',
    ])
  })

  it('writes every row of a curve that is longer than a pause', () => {
    const report = sampleReport()
    const length = 20_000
    const time = Float64Array.from({ length }, (_, row) => START + row * HOUR)
    const equity = { ...report.equity, time, equity: time.map((_, row) => 10_000 + row) }
    const lines = csvOf({ ...report, equity, benchmark: undefined })[2]?.text.split('\n')
    expect(lines).toHaveLength(length + 2)
    expect(lines?.[8193]).toBe(`${new Date(START + 8192 * HOUR).toISOString()},18192,,0`)
  })

  it('writes how many round trips depend on the path inside a kline', () => {
    expect(csvOf(sampleReport())[3]).toEqual({
      name: 'ambiguity.csv',
      text: 'path,ambiguousRoundTrips,roundTrips,ambiguousOpenPositions\npessimistic,1,2,0\n',
    })
  })

  it('has only headers where nothing happened', () => {
    const ambiguity = { policy: 'pessimistic', roundTrips: [], openPositions: [] } as const
    const report = { ...sampleReport(), roundTrips: [], fills: [], ambiguity }
    expect(csvOf(report).map(({ text }) => text.split('\n').length)).toEqual([2, 2, 4, 3])
  })

  it('puts quotes around what would break a line or a column', () => {
    const report = sampleReport()
    const roundTrips = report.roundTrips.map(trip => ({ ...trip, tag: 'a "b", c' }))
    expect(csvOf({ ...report, roundTrips })[0]?.text).toContain(',takeProfit,"a ""b"", c",')
  })
})

import { describe, expect, it } from 'vitest'
import { resultCsv } from '../../../backtest/report/result-csv.ts'
import { sampleReport } from './sample-report.ts'

describe('resultCsv', () => {
  it('writes round trips with exact decimals and times in UTC', () => {
    expect(resultCsv(sampleReport())[0]).toEqual({
      name: 'round-trips.csv',
      text:
        'symbol,direction,quantity,entryTime,entryPrice,exitTime,exitPrice,pnl,fees,entryReason,exitReason,tag,mae,mfe\n' +
        'BTC/USDT,long,1.50000,2018-01-01T00:00:00.000Z,10000.50,2018-01-02T02:30:00.000Z,10100.00,149.25,30.2,entry,takeProfit,cross,0.110044,0.019949\n' +
        'BTC/USDT,long,1.50000,2018-01-02T00:00:00.000Z,10000.50,2018-01-02T00:05:00.000Z,10100.00,-0.001,0,entry,takeProfit,,0,0.00995\n',
    })
  })

  it('writes fills', () => {
    expect(resultCsv(sampleReport())[1]).toEqual({
      name: 'fills.csv',
      text:
        'id,clientOrderId,symbol,side,price,quantity,fee,feeAsset,liquidity,slippage,time\n' +
        'f1,o1,BTC/USDT,buy,10000.50,1.50000,0.0015,BTC,taker,,2018-01-01T00:00:00.000Z\n',
    })
  })

  it('writes equity beside buy and hold of the same start, and the drawdown', () => {
    // Buy and hold: 10,000 ÷ 9000 × 9450 and × 9900.
    expect(resultCsv(sampleReport())[2]?.text.split('\n')).toEqual([
      'time,equity,buyAndHold,drawdown',
      expect.stringMatching(/^2018-01-02T00:00:00\.000Z,9900,10500(\.0+\d)?,0\.010000000000000009$/),
      expect.stringMatching(/^2018-01-03T00:00:00\.000Z,10149\.249,11000(\.0+\d)?,0$/),
      '',
    ])
  })

  it('has only headers where nothing happened', () => {
    const report = { ...sampleReport(), roundTrips: [], fills: [] }
    expect(resultCsv(report).map(({ text }) => text.split('\n').length)).toEqual([2, 2, 4])
  })

  it('puts quotes around what would break a line or a column', () => {
    const report = sampleReport()
    const roundTrips = report.roundTrips.map(trip => ({ ...trip, tag: 'a "b", c' }))
    expect(resultCsv({ ...report, roundTrips })[0]?.text).toContain(',takeProfit,"a ""b"", c",')
  })
})

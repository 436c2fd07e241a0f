import { describe, expect, it } from 'vitest'
import { entryTimeTables } from '../../../backtest/report/html/entry-times.ts'
import { excursionScatter } from '../../../backtest/report/html/excursion-scatter.ts'
import { returnHistogram } from '../../../backtest/report/html/return-histogram.ts'
import { rollingSharpe, rollingWindows } from '../../../backtest/report/html/rolling-sharpe.ts'
import { resultHtml } from '../../../backtest/report/result-html.ts'
import { dailyCurve } from '../metrics/curve.ts'
import { roundTrip } from '../results/round-trip.ts'
import { sampleReport } from './sample-report.ts'

const HOUR = 3_600_000
const MONEY = { asset: 'USDT', decimals: 2 }
/** A Monday. */
const MONDAY = Date.UTC(2018, 0, 1)

describe('results by the time of entry', () => {
  it('are sums by hour and weekday in UTC, long and short apart', () => {
    const at = (hours: number, pnl: string, direction: 'long' | 'short' = 'long') => ({
      ...roundTrip(pnl, [MONDAY + hours * HOUR, MONDAY + hours * HOUR + 1]),
      direction,
    })
    // 09:30 on Monday, 09:59 on Tuesday, 23:00 on Sunday.
    const trips = [at(9.5, '10.5'), at(33.98, '-4', 'short'), at(6 * 24 + 23, '-1.25')]
    const [hours, days] = entryTimeTables(trips, MONEY)
    expect(hours?.rows).toEqual([
      ['09:00', '2', '50.00%', '6.50 USDT', '10.50 USDT', '-4.00 USDT'],
      ['23:00', '1', '0.00%', '-1.25 USDT', '-1.25 USDT', '–'],
    ])
    expect(days?.rows.map(([day, count, , profit]) => [day, count, profit])).toEqual([
      ['Monday', '1', '10.50 USDT'],
      ['Tuesday', '1', '-4.00 USDT'],
      ['Sunday', '1', '-1.25 USDT'],
    ])
    expect(hours?.title).toContain('UTC')
  })
})

describe('the scatter of excursions', () => {
  it('puts a round trip as far right as it was under water, and as far up as it was ahead', () => {
    const columns = {
      pnl: Float64Array.of(5, -3),
      returns: Float64Array.of(0.05, -0.03),
      adverse: Float64Array.of(0.01, 0.04),
      favorable: Float64Array.of(0.08, 0.02),
      durationMs: Float64Array.of(1, 1),
      volume: Float64Array.of(1, 1),
    }
    const { markup } = excursionScatter(columns)
    // 400 wide for 4%, 200 high for 8%: 1% is at 100, 8% at the top; 2% is 50 above the bottom.
    expect(markup).toContain('<circle class="up" cx="100.00" cy="0.00"')
    expect(markup).toContain('<circle class="down" cx="400.00" cy="150.00"')
  })
})

describe('rollingWindows', () => {
  it('has the Sharpe ratio and the deepest drawdown of each 30 days', () => {
    const returns = Float64Array.from({ length: 31 }, (_, day) =>
      day === 0 ? -0.5 : day % 2 === 0 ? 0.01 : 0.03,
    )
    const [first, second] = rollingWindows(returns)
    expect(first?.drawdown).toBeCloseTo(-0.5, 12)
    // 15 days of 1% and 15 of 3%: mean 2%, sample deviation 1% × √(30 ÷ 29).
    expect(second?.sharpe).toBeCloseTo((0.02 / (0.01 * Math.sqrt(30 / 29))) * Math.sqrt(365), 9)
    expect(second?.drawdown).toBe(0)
  })
})

describe('the chart of rolling figures', () => {
  it('has numbers for an account that is ruined, and falls by all of it', () => {
    const equity = Array.from({ length: 80 }, (_, day) => (day < 40 ? 100 + (day % 3) : 0))
    const { markup } = rollingSharpe(dailyCurve(100, equity))
    expect(markup).not.toContain('NaN')
    expect(markup).toContain('deepest drawdown within 30 days -100.00%')
  })
})

describe('the histogram of returns', () => {
  it('says how many returns its first and last bars have beyond their borders', () => {
    const returns = Float64Array.from({ length: 400 }, (_, row) =>
      row < 2 ? -0.9 : row < 4 ? 0.9 : row / 40_000,
    )
    const { markup } = returnHistogram(returns)
    expect(markup).toMatch(/the first bar has 2 below -?[\d.]+% as well/)
    expect(markup).toMatch(/the last bar has \d+ from [\d.]+% on as well/)
  })
})

describe('the page', () => {
  it('begins with denied orders in a colour of warning, and folds settings and manifest', () => {
    const page = resultHtml(sampleReport())
    expect(page).toMatch(
      /<body>\n<section aria-label="Denied orders"><ul class="notes cautions"><li>Denied 2 × by minimum notional; the first: The order is worth 9 USDT\./,
    )
    expect(page).not.toContain('role="alert"')
    expect(page).toContain('<details class="card"><summary>Settings</summary>')
    expect(page).toContain('<details class="card"><summary>Manifest</summary>')
  })

  it('tells a large share of denied orders and their reasons in one box, each once, with commas between thousands', () => {
    const intent = { symbol: 'BTC/USDT', side: 'buy', reduceOnly: false } as const
    const denials = new Map([
      ['maxNotional', { count: 2, first: 'The order is worth 4999.69 USDT, above 4999.', intent }],
      ['balance', { count: 1, first: 'The order needs 12345.6 USDT on 2026-01-01.', intent }],
    ] as const)
    const page = resultHtml({ ...sampleReport(), orders: 27, denials })
    const [, box] =
      /<body>\n<div role="alert"><ul class="notes warnings">(.*?)<\/ul><\/div>\n<header>/.exec(page) ?? []
    expect(box?.split('</li>').map(line => line.replace('<li>', ''))).toEqual([
      'Denied 3 of 30 orders (10%): the figures are those of the others.',
      'Denied 2 × by maximum notional; the first: The order is worth 4,999.69 USDT, above 4,999.',
      'Denied 1 × by balance; the first: The order needs 12,345.6 USDT on 2026-01-01.',
      '',
    ])
  })
})

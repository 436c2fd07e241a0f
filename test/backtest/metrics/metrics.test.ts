import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { curveOf, DAY, dailyCurve, seriesWith } from './curve.ts'
import { hourlyMarket } from './market.ts'
import { CLOSES, EQUITY } from './reference-run.ts'
import { figuresFor, metricsFor } from './run.ts'

describe('metricsOf', () => {
  it('says what two years came to', () => {
    const figures = figuresFor({
      curve: curveOf(100, [
        [365, 150],
        [730, 121],
      ]),
    })
    expect(figures).toMatchObject({
      startEquity: 100,
      endEquity: 121,
      netProfit: 21,
      longestDrawdownMs: 365 * DAY,
    })
    expect(figures.totalReturn).toBeCloseTo(0.21, 12)
    expect(figures.cagr).toBeCloseTo(0.1, 12)
    expect(figures.maxDrawdown).toBeCloseTo(29 / 150, 12)
    expect(figures.calmar).toBeCloseTo(0.1 / (29 / 150), 12)
    // 728 of 730 daily returns are 0; the others are r₁ = 0.5 and r₂ = 121/150 - 1. With their sum Σ and their squares Q:
    // S = Σ/730 ÷ √((Q - Σ²/730)/729) · √365 = 0.00042009 ÷ 0.01985005 · 19.10497
    expect(figures.sharpe).toBeCloseTo(0.40432, 5)
  })

  it.each([
    [180, 1.21 ** (365 / 180) - 1],
    [365, 0.21],
  ])('projects a return of 21%% in %d days onto a year', (days, cagr) => {
    expect(figuresFor({ curve: curveOf(100, [[days, 121]]) }).cagr).toBeCloseTo(cagr, 12)
  })

  it('never projects a good week onto a year', () => {
    const { figures } = metricsFor({ curve: curveOf(100, [[7, 150]]) })
    expect(figures.cagr).toEqual({ notAvailable: 'needs at least 180 days, has 7' })
    expect(figures.calmar).toEqual(figures.cagr)
  })

  it('says why a figure is not available of a month', () => {
    const { figures } = metricsFor({ curve: dailyCurve(100, EQUITY.slice(0, 31)) })
    expect(figures).toMatchObject({
      volatility: { value: expect.any(Number) },
      bestMonth: { notAvailable: 'needs at least 2 calendar months, has 1' },
      valueAtRisk: { notAvailable: 'needs at least 100 daily returns, has 31' },
      tailRatio: { notAvailable: 'needs at least 100 daily returns, has 31' },
      beta: { notAvailable: 'the run has no benchmark' },
    })
  })

  it('says why there is no figure of daily returns of weekly klines', () => {
    const market = { ...hourlyMarket([]), interval: '1w' as const }
    const { figures } = metricsFor({ curve: dailyCurve(10_000, EQUITY), markets: [market] })
    const notAvailable = 'needs klines of at most one day, has 1w'
    expect(figures).toMatchObject({
      sharpe: { notAvailable },
      bestDay: { notAvailable },
      bestMonth: { notAvailable },
      totalReturn: { value: expect.any(Number) },
      maxDrawdown: { value: expect.any(Number) },
    })
  })

  it('counts the day at the value at risk among the worst', () => {
    // Of 101 days the 5% quantile is the sixth worst: six losses from 6% to 1%, and 95 days of 0.1%.
    const returns = Array.from({ length: 101 }, (_, day) => (day < 6 ? (day - 6) / 100 : 0.001))
    const series = seriesWith(returns)
    const figures = figuresFor({ curve: dailyCurve(1, [...series.values]) })
    expect(figures.valueAtRisk).toBeCloseTo(-0.01, 12)
    expect(figures.conditionalValueAtRisk).toBeCloseTo(-0.035, 12)
  })

  it('loses all, and not more, in a year of ruin', () => {
    const { figures } = metricsFor({
      curve: curveOf(100, [
        [200, -50],
        [365, -50],
      ]),
    })
    expect(figures).toMatchObject({ cagr: { value: -1 }, maxDrawdown: { value: 1.5 } })
    const ofDays = [
      ...(['bestDay', 'worstDay', 'positiveDays', 'bestMonth', 'worstMonth', 'positiveMonths'] as const),
      ...(['volatility', 'sharpe', 'sharpeLow', 'sharpeHigh', 'probabilisticSharpe', 'sortino'] as const),
      ...(['omega', 'ulcerIndex', 'tailRatio', 'skewness', 'excessKurtosis', 'valueAtRisk'] as const),
      'conditionalValueAtRisk' as const,
    ]
    for (const name of ofDays)
      expect([name, figures[name]]).toEqual([name, { notAvailable: 'equity fell to zero' }])
  })

  it('has no ratio against falls where nothing fell', () => {
    const curve = dailyCurve(
      100,
      Array.from({ length: 200 }, (_, day) => 101 + day),
    )
    expect(metricsFor({ curve }).figures).toMatchObject({
      sortino: { notAvailable: 'no day lost' },
      omega: { notAvailable: 'no day lost' },
      calmar: { notAvailable: 'equity never fell' },
    })
  })

  it('has no beta against a market that rests', () => {
    const run = {
      curve: dailyCurve(10_000, EQUITY),
      benchmark: dailyCurve(
        5,
        EQUITY.map(() => 5),
      ),
    }
    expect(metricsFor(run).figures.beta).toEqual({
      notAvailable: 'the sample gives no finite value, such as a division by zero',
    })
  })

  it('prints its convention with it', () => {
    expect(metricsFor({ riskFreeRate: 0.03 }).convention).toMatchObject({
      daysPerYear: 365,
      riskFreeRate: 0.03,
      ddof: 1,
    })
  })

  it('counts what is above the risk-free rate', () => {
    // 1% and 0% in turns on 30 days, at 0.25% a day: excesses of 0.75% and -0.25%, on average 0.25%. Sharpe: half of
    // √(29/30) · √365, for their deviation is 0.5% · √(30/29). Sortino: the downside deviation is 0.25% ÷ √2, so √2 · √365.
    // Omega: 15 · 0.75% ÷ (15 · 0.25%).
    let worth = 1
    const equity = Array.from({ length: 30 }, (_, day) => (worth *= day % 2 === 0 ? 1.01 : 1))
    const figures = figuresFor({ curve: dailyCurve(1, equity), riskFreeRate: 0.0025 * 365 })
    expect(figures.sharpe).toBeCloseTo(9.391929, 6)
    expect(figures.sortino).toBeCloseTo(27.018512, 6)
    expect(figures.omega).toBeCloseTo(3, 8)
  })

  it('has only finite figures, whatever the run', () => {
    const worth = fc.double({ min: -50, max: 1000, noNaN: true })
    fc.assert(
      fc.property(fc.array(worth, { maxLength: 150 }), equity => {
        for (const figure of Object.values(metricsFor({ curve: dailyCurve(100, equity) }).figures)) {
          expect('value' in figure ? Number.isFinite(figure.value) : figure.notAvailable.length > 0).toBe(
            true,
          )
        }
      }),
    )
  })
})

describe('a run with all its money scaled', () => {
  it('has the same returns and ratios', () => {
    const base = figuresFor({ curve: dailyCurve(10_000, EQUITY), benchmark: dailyCurve(13_000, CLOSES) })
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 1000, noNaN: true }), factor => {
        const scaled = figuresFor({
          curve: dailyCurve(
            10_000 * factor,
            EQUITY.map(worth => worth * factor),
          ),
          benchmark: dailyCurve(
            13_000 / factor,
            CLOSES.map(close => close / factor),
          ),
        })
        for (const [name, value] of Object.entries(base)) {
          if (value === null || ['startEquity', 'endEquity', 'netProfit'].includes(name)) continue
          expect(scaled[name as keyof typeof scaled]).toBeCloseTo(value, 8) // a key of both
        }
        expect(scaled.endEquity).toBeCloseTo(11_816.43 * factor, 6)
      }),
    )
  })
})

describe('a run that is its benchmark', () => {
  it('has a beta of 1, no alpha and a correlation of 1', () => {
    const curve = dailyCurve(13_000, CLOSES)
    const figures = figuresFor({ curve, benchmark: curve, riskFreeRate: 0.04 })
    expect(figures.beta).toBeCloseTo(1, 12)
    expect(figures.alpha).toBeCloseTo(0, 12)
    expect(figures.correlation).toBeCloseTo(1, 12)
    expect(figures.buyAndHold).toBe(figures.totalReturn)
  })
})

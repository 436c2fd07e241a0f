import { describe, expect, it } from 'vitest'
import { marketRegression } from '../../../../src/research/statistics/sample/market-regression.ts'

const RETURNS = [0.01, 0.02, -0.01, 0.03, 0, -0.02, 0.015, 0.005]
const MARKET = [0.02, 0.01, -0.03, 0.04, 0.01, -0.01, 0, -0.02]

describe('a regression on the market', () => {
  it('has the alpha, beta and t of least squares with the covariance matrix of Newey and West', () => {
    // numpy: (X'X)^-1 S (X'X)^-1 with 2 lags, X of ones and the market.
    const { value } = marketRegression(RETURNS, MARKET)
    expect(value?.beta).toBeCloseTo(0.52816901, 8)
    expect(value?.alpha).toBeCloseTo(0.00492958, 8)
    expect(value?.t).toBeCloseTo(1.4839104329352197, 12)
  })

  it('leaves nothing of returns that are a part of the market', () => {
    const { value } = marketRegression(
      MARKET.map(value => 0.7 * value),
      MARKET,
    )
    expect(value).toMatchObject({ alpha: 0, t: 0 })
    expect(value?.beta).toBeCloseTo(0.7, 12)
  })

  it('says why there is none', () => {
    expect(marketRegression([...RETURNS.slice(1), -1], MARKET).reason).toBe(
      'Return 8 of 8 is -100% or less: everything was lost.',
    )
    expect(marketRegression(RETURNS, MARKET.slice(1)).reason).toBe('There are 8 returns and 7 of the market.')
    expect(marketRegression(RETURNS.fill(0), MARKET).reason).toBe('All 8 returns are alike.')
    expect(marketRegression(MARKET, RETURNS).reason).toBe('Of the market: All 8 returns are alike.')
  })
})

import { describe, expect, it } from 'vitest'
import { dailyCurve } from './curve.ts'
import { CLOSES, EQUITY } from './reference-run.ts'
import { figuresFor } from './run.ts'

/**
 * What published packages say of the reference run, with r its daily returns and q those of its market as pandas series:
 * empyrical-reloaded 0.7.1 (`ep`), scipy 1.17.1 (`st`), quantstats 0.0.86 (`qs`) on numpy 2.4.6, all with 365 days a year.
 */
const AT_NO_RATE: readonly (readonly [Parameters<typeof expectFigure>[0], number, string])[] = [
  ['totalReturn', 0.181643, 'ep.cum_returns_final(r)'],
  ['volatility', 0.335215313516292, 'ep.annual_volatility(r, annualization=365)'],
  ['sharpe', 1.683272171004371, 'ep.sharpe_ratio(r, annualization=365)'],
  ['sortino', 2.4628172242730253, 'ep.sortino_ratio(r, annualization=365)'],
  ['omega', 1.297189469725604, 'ep.omega_ratio(r, annualization=1)'],
  ['maxDrawdown', 0.15701139542469414, '-ep.max_drawdown(r)'],
  ['tailRatio', 1.4384427438888705, 'ep.tail_ratio(r)'],
  ['valueAtRisk', -0.020242432479797946, 'ep.value_at_risk(r)'],
  ['conditionalValueAtRisk', -0.03852015856477614, 'ep.conditional_value_at_risk(r)'],
  ['skewness', -0.8020971320317125, 'st.skew(r)'],
  ['excessKurtosis', 6.916225512931129, 'st.kurtosis(r)'],
  ['ulcerIndex', 0.05956532634413866, 'qs.stats.ulcer_index(r) × √(119/120): quantstats divides by n - 1'],
  ['beta', 0.33198663236851966, 'st.linregress(q, r).slope'],
  ['alpha', 0.06777860398257374, 'st.linregress(q, r).intercept × 365'],
  ['correlation', 0.6443997907084292, 'st.linregress(q, r).rvalue'],
  ['buyAndHold', 0.5260615384615381, 'ep.cum_returns_final(q)'],
  ['buyAndHoldDrawdown', 0.2472159026122465, '-ep.max_drawdown(q)'],
  ['bestDay', 0.06424767421000022, 'r.max()'],
  ['worstDay', -0.0931151592490439, 'r.min()'],
  ['positiveDays', 0.4666666666666667, '(r > 0).mean()'],
  ['bestMonth', 0.1224040000000004, "ep.aggregate_returns(r, 'monthly').max()"],
  ['worstMonth', -0.04659615909065229, "ep.aggregate_returns(r, 'monthly').min()"],
  // With s = r.mean() / r.std(ddof=1), g = st.skew(r), k = st.kurtosis(r, fisher=False) and
  // e = np.sqrt((1 - g * s + (k - 1) / 4 * s**2) / 119):
  ['probabilisticSharpe', 0.8215924778996446, 'st.norm.cdf(s / e)'],
  ['sharpeLow', -1.8971168552716744, '(s - st.norm.ppf(0.975) * e) * np.sqrt(365)'],
  ['sharpeHigh', 5.263661197280417, '(s + st.norm.ppf(0.975) * e) * np.sqrt(365)'],
]

const AT_FIVE_PERCENT: readonly (readonly [Parameters<typeof expectFigure>[0], number, string])[] = [
  ['sharpe', 1.534114307434492, 'ep.sharpe_ratio(r, risk_free=0.05/365, annualization=365)'],
  ['sortino', 2.2334656388620933, 'ep.sortino_ratio(r, required_return=0.05/365, annualization=365)'],
  ['omega', 1.2670761470901075, 'ep.omega_ratio(r, risk_free=0.05/365, annualization=1)'],
  ['beta', 0.33198663236851966, 'st.linregress(q - 0.05/365, r - 0.05/365).slope'],
  ['alpha', 0.034377935600999436, 'st.linregress(q - 0.05/365, r - 0.05/365).intercept × 365'],
]

const RUN = { curve: dailyCurve(10_000, EQUITY), benchmark: dailyCurve(13_000, CLOSES) }

function expectFigure(
  name: keyof ReturnType<typeof figuresFor>,
  expected: number,
  riskFreeRate: number,
): void {
  const value = figuresFor({ ...RUN, riskFreeRate })[name] ?? Number.NaN
  expect(Math.abs(value / expected - 1)).toBeLessThan(1e-10)
}

describe('metrics of the reference run', () => {
  it.each(AT_NO_RATE)('%s is %d, as %s says', (name, expected) => expectFigure(name, expected, 0))

  it.each(AT_FIVE_PERCENT)('%s is %d at a risk-free rate of 5%, as %s says', (name, expected) =>
    expectFigure(name, expected, 0.05),
  )
})

import type { RiskMetrics } from '../../metrics/returns/risk-metrics.ts'
import type { MetricDescription } from '../metric-description.ts'

/** Descriptions of return against risk. */
export const RISK_DESCRIPTIONS: Readonly<Record<keyof RiskMetrics, MetricDescription>> = {
  volatility: {
    label: 'Volatility',
    unit: 'percent',
    meaning: 'How much a year scatters: standard deviation of daily returns × √365.',
  },
  sharpe: {
    label: 'Sharpe ratio',
    unit: 'ratio',
    meaning:
      'Return for risk: mean of daily returns above the risk-free rate ÷ their standard deviation × √365.',
  },
  sharpeLow: {
    label: 'Sharpe, 95% from',
    unit: 'ratio',
    meaning:
      'Lower end of the 95% confidence interval of the Sharpe ratio, corrected for skew and fat tails.',
  },
  sharpeHigh: {
    label: 'Sharpe, 95% to',
    unit: 'ratio',
    meaning:
      'Upper end of the 95% confidence interval of the Sharpe ratio, corrected for skew and fat tails.',
  },
  probabilisticSharpe: {
    label: 'P(Sharpe > 0)',
    unit: 'percent',
    meaning:
      'Probabilistic Sharpe ratio: how likely the true Sharpe ratio is above 0, given so long a record.',
  },
  sortino: {
    label: 'Sortino ratio',
    unit: 'ratio',
    meaning:
      'As the Sharpe ratio, but only falls count as risk: mean excess return ÷ downside deviation × √365.',
  },
  calmar: { label: 'Calmar ratio', unit: 'ratio', meaning: 'Annual return ÷ max drawdown.' },
  omega: {
    label: 'Omega ratio',
    unit: 'ratio',
    meaning: 'Sum of the daily gains ÷ sum of the daily losses; above 1 gains prevail.',
  },
  ulcerIndex: {
    label: 'Ulcer index',
    unit: 'percent',
    meaning: 'How deep and how long drawdowns were: root of the mean squared drawdown of daily equity.',
  },
  tailRatio: {
    label: 'Tail ratio',
    unit: 'ratio',
    meaning: 'The best 5% of days against the worst 5%: size of the 95% quantile ÷ size of the 5% quantile.',
  },
  skewness: {
    label: 'Skewness',
    unit: 'ratio',
    meaning: 'Below 0, the outliers among daily returns are losses; above 0, gains.',
  },
  excessKurtosis: {
    label: 'Excess kurtosis',
    unit: 'ratio',
    meaning: 'How much more often outliers come than with a normal distribution, which has 0.',
  },
  valueAtRisk: {
    label: 'Value at risk 95%',
    unit: 'percent',
    meaning: 'One day in twenty returned less than this: the 5% quantile of daily returns.',
  },
  conditionalValueAtRisk: {
    label: 'CVaR 95%',
    unit: 'percent',
    meaning: 'Conditional value at risk: the mean return of the worst 5% of days.',
  },
}

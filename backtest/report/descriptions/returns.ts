import type { BenchmarkMetrics } from '../../metrics/returns/benchmark-metrics.ts'
import type { ReturnMetrics } from '../../metrics/returns/return-metrics.ts'
import type { MetricDescription } from '../metric-description.ts'

export const RETURN_DESCRIPTIONS: Readonly<Record<keyof ReturnMetrics, MetricDescription>> = {
  startEquity: {
    label: 'Start equity',
    unit: 'money',
    meaning: 'Worth of the account before the first kline.',
  },
  endEquity: {
    label: 'End equity',
    unit: 'money',
    meaning: 'Worth of the account at the last close, with what is still open marked there.',
  },
  netProfit: { label: 'Net profit', unit: 'money', meaning: 'End equity less start equity.' },
  totalReturn: { label: 'Total return', unit: 'percent', meaning: 'End equity ÷ start equity - 1.' },
  cagr: {
    label: 'Annual return (CAGR)',
    unit: 'percent',
    meaning:
      'The yearly rate that would have compounded to the total return: (end ÷ start)^(365 days ÷ duration) - 1.',
  },
  bestDay: { label: 'Best day', unit: 'percent', meaning: 'Largest return of a UTC day.' },
  worstDay: { label: 'Worst day', unit: 'percent', meaning: 'Smallest return of a UTC day.' },
  positiveDays: { label: 'Positive days', unit: 'percent', meaning: 'Share of days with a return above 0.' },
  bestMonth: {
    label: 'Best month',
    unit: 'percent',
    meaning: 'Largest return of a calendar month; the first and the last may be incomplete.',
  },
  worstMonth: {
    label: 'Worst month',
    unit: 'percent',
    meaning: 'Smallest return of a calendar month; the first and the last may be incomplete.',
  },
  positiveMonths: {
    label: 'Positive months',
    unit: 'percent',
    meaning: 'Share of months with a return above 0.',
  },
}

/** Descriptions of the comparison with buy and hold. */
export const BENCHMARK_DESCRIPTIONS: Readonly<Record<keyof BenchmarkMetrics, MetricDescription>> = {
  buyAndHold: {
    label: 'Buy and hold',
    unit: 'percent',
    meaning: 'What the market itself returned: last close ÷ first open - 1, without costs.',
  },
  buyAndHoldDrawdown: {
    label: 'Its max drawdown',
    unit: 'percent',
    meaning: 'Largest fall of buy and hold from a peak.',
  },
  alpha: {
    label: 'Alpha',
    unit: 'percent',
    meaning:
      'Yearly return beyond what the beta explains: 365 × (mean excess return - beta × that of buy and hold).',
  },
  beta: {
    label: 'Beta',
    unit: 'ratio',
    meaning: 'How much the account moved when the market moved by 1: covariance ÷ variance of daily returns.',
  },
  correlation: {
    label: 'Correlation',
    unit: 'ratio',
    meaning: 'How closely daily returns followed the market, from -1 to 1.',
  },
}

import type { TradingMetrics } from '../../metrics/trading-metrics.ts'
import type { MetricDescription } from '../metric-description.ts'

/** Descriptions of trading and its costs. */
export const TRADING_DESCRIPTIONS: Readonly<Record<keyof TradingMetrics, MetricDescription>> = {
  exposure: {
    label: 'Exposure',
    unit: 'percent',
    meaning: 'Share of the time in which a position was open.',
  },
  fills: { label: 'Fills', unit: 'count', meaning: 'Executions of orders.' },
  volume: { label: 'Volume', unit: 'money', meaning: 'Price × quantity of all fills.' },
  turnover: {
    label: 'Turnover',
    unit: 'ratio',
    meaning: 'Volume ÷ mean daily equity: how often the account was turned over.',
  },
  fees: {
    label: 'Fees',
    unit: 'money',
    meaning: 'All fees; those taken in base count at the price of their fill.',
  },
  funding: { label: 'Funding', unit: 'money', meaning: 'Funding paid, less what was received.' },
  slippage: {
    label: 'Slippage',
    unit: 'money',
    meaning: 'What fills lost against the price without slippage.',
  },
  breakEvenFee: {
    label: 'Break-even fee',
    unit: 'rate',
    meaning:
      'Fee rate at which round trips would have earned nothing: their profit before fees ÷ worth of entries and exits.',
  },
  breakEvenSlippage: {
    label: 'Break-even slippage',
    unit: 'rate',
    meaning:
      'What each entry and exit could have lost on top of the costs of this run until nothing was earned: profit after fees ÷ worth of entries and exits.',
  },
}

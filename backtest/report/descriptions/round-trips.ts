import type { RoundTripMetrics } from '../../metrics/round-trips/round-trip-metrics.ts'
import type { MetricDescription } from '../metric-description.ts'

/** Descriptions of the results of closed positions. */
export const ROUND_TRIP_DESCRIPTIONS: Readonly<Record<keyof RoundTripMetrics, MetricDescription>> = {
  roundTrips: {
    label: 'Round trips',
    unit: 'count',
    meaning: 'Quantities that were entered and exited again; lots close first in, first out.',
  },
  winRate: { label: 'Win rate', unit: 'percent', meaning: 'Share of round trips with a profit after fees.' },
  averageWin: { label: 'Average win', unit: 'money', meaning: 'Mean profit of the round trips that won.' },
  averageLoss: { label: 'Average loss', unit: 'money', meaning: 'Mean loss of the round trips that lost.' },
  payoff: { label: 'Payoff', unit: 'ratio', meaning: 'Average win ÷ average loss.' },
  profitFactor: {
    label: 'Profit factor',
    unit: 'ratio',
    meaning: 'Sum of the wins ÷ sum of the losses; above 1 the wins prevail.',
  },
  expectancy: { label: 'Expectancy', unit: 'money', meaning: 'Mean profit of a round trip after fees.' },
  averageReturn: {
    label: 'Average return',
    unit: 'rate',
    meaning: 'Mean profit of a round trip ÷ what it was worth at its entry.',
  },
  bestPnl: { label: 'Best', unit: 'money', meaning: 'Largest profit of a round trip.' },
  worstPnl: { label: 'Worst', unit: 'money', meaning: 'Largest loss of a round trip.' },
  sqn: {
    label: 'SQN',
    unit: 'ratio',
    meaning: 'System quality number: √count × mean profit ÷ standard deviation of the profits.',
  },
  kelly: {
    label: 'Kelly fraction',
    unit: 'percent',
    meaning:
      'Share of the account to stake for fastest growth, if wins and losses stay as they were: win rate - (1 - win rate) ÷ payoff.',
  },
  longestWinStreak: { label: 'Wins in a row', unit: 'count', meaning: 'Most wins one after another.' },
  longestLossStreak: { label: 'Losses in a row', unit: 'count', meaning: 'Most losses one after another.' },
  averageDurationMs: {
    label: 'Average duration',
    unit: 'duration',
    meaning: 'Mean time from entry to exit.',
  },
  medianDurationMs: {
    label: 'Median duration',
    unit: 'duration',
    meaning: 'Half of the round trips were shorter than this.',
  },
  longestDurationMs: {
    label: 'Longest duration',
    unit: 'duration',
    meaning: 'Longest time from entry to exit.',
  },
  averageMae: {
    label: 'Average MAE',
    unit: 'rate',
    meaning:
      'Maximum adverse excursion: how far the price went against a round trip, on average. Klines from that of the entry to the one before the exit count.',
  },
  worstMae: {
    label: 'Worst MAE',
    unit: 'rate',
    meaning: 'How far the price went against a round trip at most.',
  },
  averageMfe: {
    label: 'Average MFE',
    unit: 'rate',
    meaning: 'Maximum favorable excursion: how far the price went for a round trip, on average.',
  },
}

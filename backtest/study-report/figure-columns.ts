import type { TrialFigure } from '../trials/trial.ts'
import type { ColumnUnit } from './study-page-data.ts'

/** A figure of a trial as a page shows it. */
export interface FigureColumn {
  readonly key: string
  readonly label: string
  readonly unit: ColumnUnit
  /** Digits after the point that are kept. */
  readonly decimals: number
  /** Why a finished trial may have none. */
  readonly missing: string
}

const RATIO = { unit: 'ratio', decimals: 4 } as const
const PERCENT = { unit: 'percent', decimals: 6 } as const
const NO_EQUITY = 'the account was worth nothing at the start'
const NO_RATIO = 'the days are too few, or their returns do not vary'
const NO_TRIPS = 'no round trip was closed'

/** Figures in the order of the table. */
export const FIGURE_COLUMNS: readonly (FigureColumn & { readonly key: TrialFigure })[] = [
  { key: 'sharpe', label: 'Sharpe', ...RATIO, missing: NO_RATIO },
  { key: 'totalReturn', label: 'Return', ...PERCENT, missing: NO_EQUITY },
  { key: 'netProfit', label: 'Net profit', unit: 'money', decimals: 2, missing: NO_EQUITY },
  { key: 'maxDrawdown', label: 'Drawdown', ...PERCENT, missing: NO_EQUITY },
  { key: 'sortino', label: 'Sortino', ...RATIO, missing: `${NO_RATIO}, or no day lost` },
  { key: 'calmar', label: 'Calmar', ...RATIO, missing: 'the days are too few, or equity never fell' },
  { key: 'cagr', label: 'CAGR', ...PERCENT, missing: 'the days are too few to tell a year' },
  { key: 'profitFactor', label: 'Profit factor', ...RATIO, missing: 'no round trip lost' },
  { key: 'winRate', label: 'Win rate', ...PERCENT, missing: NO_TRIPS },
  { key: 'roundTrips', label: 'Round trips', unit: 'count', decimals: 0, missing: NO_TRIPS },
  { key: 'longestDurationMs', label: 'Longest trip', unit: 'duration', decimals: 0, missing: NO_TRIPS },
  { key: 'fills', label: 'Fills', unit: 'count', decimals: 0, missing: NO_TRIPS },
]

/** Annual Sharpe ratio of the older and of the newer half of the days. */
export const HALF_COLUMNS: readonly FigureColumn[] = [
  { key: 'olderSharpe', label: 'Sharpe, older half', ...RATIO, missing: NO_RATIO },
  { key: 'newerSharpe', label: 'Sharpe, newer half', ...RATIO, missing: NO_RATIO },
]

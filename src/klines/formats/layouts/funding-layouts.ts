import type { FundingName } from '../../store/table-layout.ts'
import type { RowField, RowLayout } from './row-layout.ts'

/** Columns of funding rates, in memory order. */
const FUNDING_COLUMNS: readonly FundingName[] = ['time', 'rate']

const TIME: RowField<FundingName> = { name: 'ts', column: 'time', kind: 'time' }
const RATE: RowField<FundingName> = { name: 'rate', column: 'rate', kind: 'number' }

/** Layouts of funding rates: this project's CSV, and Binance's public dumps. */
export const FUNDING_ROWS: readonly RowLayout<FundingName>[] = [
  [TIME, RATE],
  [
    { ...TIME, name: 'calc_time' },
    { name: 'funding_interval_hours', kind: 'number' } as const,
    { ...RATE, name: 'last_funding_rate' },
  ],
].map(fields => ({ columns: FUNDING_COLUMNS, fields }))

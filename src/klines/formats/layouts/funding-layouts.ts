import type { FundingName } from '../../store/table-layout.ts'
import type { RowField, RowLayout } from './row-layout.ts'

/** The columns of funding rates, in the order of memory. */
const FUNDING_COLUMNS: readonly FundingName[] = ['time', 'rate']

const TIME: RowField<FundingName> = { name: 'ts', column: 'time', kind: 'time' }
const RATE: RowField<FundingName> = { name: 'rate', column: 'rate', kind: 'number' }

/** How files say funding rates: this project's CSV, and Binance's public dumps. */
export const FUNDING_ROWS: readonly RowLayout<FundingName>[] = [
  [TIME, RATE],
  [
    { ...TIME, name: 'calc_time' },
    { name: 'funding_interval_hours', kind: 'number' } as const,
    { ...RATE, name: 'last_funding_rate' },
  ],
].map(fields => ({ columns: FUNDING_COLUMNS, fields }))

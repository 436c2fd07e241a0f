import { type Rate, rateOf } from '../../src/domain/numbers/amount.ts'
import { firstRowAfter } from '../../src/klines/row-search.ts'
import type { FundingColumns } from '../../src/klines/store/table-layout.ts'

/** Funding rates of a contract: the same at every settlement, or those of a list, at their times. */
export type FundingRates =
  | {
      readonly type: 'constant'
      readonly rate: Rate
      /** 1, 2, 4 or 8: settlements lie on multiples of it from 00:00 UTC. */
      readonly intervalHours: number
    }
  | ({ readonly type: 'list' } & FundingColumns)

/**
 * One settlement: longs pay `rate` of the notional of their positions to shorts, or the reverse if it is
 * negative.
 */
export interface Settlement {
  /** ms UTC. */
  readonly time: number
  readonly rate: Rate
}

/** The part of an instrument's rules with a constant rate. */
interface ConstantFundingRules {
  readonly fundingRate?: Rate | undefined
  readonly fundingHours?: number | undefined
}

const HOUR = 3_600_000
/** Default hours between settlements. No exchange of the interface settles less often. */
export const USUAL_FUNDING_HOURS = 8

/** Constant funding rates of rules; `undefined` if they have none. */
export function constantFunding({
  fundingRate,
  fundingHours = USUAL_FUNDING_HOURS,
}: ConstantFundingRules): FundingRates | undefined {
  if (fundingRate === undefined) return undefined
  return { type: 'constant', rate: fundingRate, intervalHours: fundingHours }
}

/** The first settlement after `time` (ms UTC), or `undefined` after the last of a list. */
export function nextSettlement(rates: FundingRates, time: number): Settlement | undefined {
  if (rates.type === 'constant') {
    const interval = rates.intervalHours * HOUR
    return { time: (Math.floor(time / interval) + 1) * interval, rate: rates.rate }
  }
  const row = firstRowAfter(rates.time, time)
  if (row === rates.length) return undefined
  // The row exists, and its number has the digits of the file.
  return { time: rates.time[row] as number, rate: rateOf(rates.rate[row] as number) }
}

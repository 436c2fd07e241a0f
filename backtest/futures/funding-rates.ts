import { utcText } from '../../src/domain/market-data/civil-date.ts'
import { type Rate, rateOf } from '../../src/domain/numbers/amount.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'
import type { MarkColumns } from '../../src/klines/record/recorded-marks.ts'
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
const HALF_MINUTE = 30_000
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

/**
 * Funding rates of recorded settlements. Exchanges settle on the hour and note it some ms or seconds away, so that
 * a time within 30 s of a full hour (UTC) is that hour. `name` is that of the data, for errors. Throws
 * `UsageError` for two different rates of one hour; the same rate twice is one settlement.
 */
export function recordedFunding({ length, time, rate }: FundingColumns, name: string): FundingRates {
  const settled = time.map(onTheHour)
  const isFirst = (row: number) => row === 0 || settled[row] !== settled[row - 1]
  for (let row = 1; row < length; row++) {
    if (isFirst(row) || rate[row] === rate[row - 1]) continue
    throw new UsageError(
      `${name} has two funding rates, ${rate[row - 1]} and ${rate[row]}, for the settlement at ${utcText(settled[row] as number)}; keep one of them.`, // a row
    )
  }
  const times = settled.filter((_, row) => isFirst(row))
  return { type: 'list', length: times.length, time: times, rate: rate.filter((_, row) => isFirst(row)) }
}

/**
 * Funding of settlements every so many hours from 00:00 UTC on, each at the rate that the host showed last before it.
 * Those before the first shown rate are unknown and left out.
 */
export function shownFunding(
  { time, arrival, rate }: Pick<MarkColumns, 'time' | 'arrival' | 'rate'>,
  hours = USUAL_FUNDING_HOURS,
): FundingRates {
  const known = arrival?.ms ?? time
  const [times, rates]: [number[], number[]] = [[], []]
  const everyMs = hours * HOUR
  const last = known.at(-1) ?? Number.NEGATIVE_INFINITY
  for (
    let at = Math.ceil((known[0] ?? Number.POSITIVE_INFINITY) / everyMs) * everyMs;
    at <= last;
    at += everyMs
  ) {
    const row = firstRowAfter(known, at - 1) - 1
    if (row < 0) continue
    times.push(at)
    rates.push(rate[row] as number) // a row
  }
  return {
    type: 'list',
    length: times.length,
    time: Float64Array.from(times),
    rate: Float64Array.from(rates),
  }
}

/** A time (ms UTC) next to a full hour is that hour. */
export function onTheHour(time: number): number {
  const hour = Math.round(time / HOUR) * HOUR
  return Math.abs(time - hour) <= HALF_MINUTE ? hour : time
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

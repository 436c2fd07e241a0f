import { UsageError } from '../../domain/sluice-error.ts'

/** Limits of a client's calls; the defaults are those of the interface document, section 8. */
export interface CallLimits {
  /** Weight of all calls in any minute; clients behind one IP address must share the 12,000. */
  readonly ipWeightPerMinute: number
  /** Weight of signed calls in any minute. */
  readonly uidWeightPerMinute: number
  /** True applies the rate limits of single endpoints. */
  readonly perEndpoint: boolean
  /** Calls in flight at one time. */
  readonly maxInFlight: number
  /** Calls that may wait for their turn; one more is refused. */
  readonly maxWaiting: number
}

const DOCUMENTED: CallLimits = {
  ipWeightPerMinute: 12_000,
  uidWeightPerMinute: 60_000,
  perEndpoint: true,
  maxInFlight: 64,
  maxWaiting: 1000,
}

/** With less, the heaviest call (100) would never fit in the least urgent lane. */
const LEAST_WEIGHT = 200

/** `given`, completed with the documented limits; throws `UsageError` if calls would wait for ever. */
export function callLimits(given: Partial<CallLimits> = {}): CallLimits {
  const limits = { ...DOCUMENTED, ...given }
  atLeast('ipWeightPerMinute', limits.ipWeightPerMinute, LEAST_WEIGHT)
  atLeast('uidWeightPerMinute', limits.uidWeightPerMinute, LEAST_WEIGHT)
  atLeast('maxInFlight', limits.maxInFlight, 2)
  atLeast('maxWaiting', limits.maxWaiting, 0)
  return limits
}

function atLeast(name: string, value: number, least: number): void {
  if (value >= least) return
  throw new UsageError(`The limit ${name} is ${value}, but it must be a number of at least ${least}.`)
}

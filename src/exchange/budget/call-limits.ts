import { UsageError } from '../../domain/sluice-error.ts'

/** Bounds of a client's calls; the defaults are those of the interface document, section 8. */
export interface CallLimits {
  /** Weight of all calls in any minute; several clients behind one IP must share 12,000 out among them. */
  readonly ipWeightPerMinute: number
  /** Weight of signed calls in any minute. */
  readonly uidWeightPerMinute: number
  /** Whether the rate limits of single endpoints hold. */
  readonly perEndpoint: boolean
  /** Calls under way at one time. */
  readonly maxInFlight: number
  /** Calls that wait for their turn; one more is refused. */
  readonly maxWaiting: number
}

const DOCUMENTED: CallLimits = {
  ipWeightPerMinute: 12_000,
  uidWeightPerMinute: 60_000,
  perEndpoint: true,
  maxInFlight: 64,
  maxWaiting: 1000,
}

/** Less than this, and the heaviest call (100) would never find room in the least urgent lane. */
const LEAST_WEIGHT = 200

/** Limits with the documented ones filled in; throws `UsageError` for one under which calls would wait for ever. */
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

/** Rules of computation for every figure of a report; printed with it. */
export interface Convention {
  /** Basis of returns and ratios. */
  readonly returns: 'equity marked to market, at the end of each UTC day'
  /** Basis of drawdowns: finer than days, because a fall within a day is a fall. */
  readonly drawdowns: 'equity marked to market, at the close of each kline'
  /** Definition of buy and hold. */
  readonly benchmark: (typeof BENCHMARKS)[keyof typeof BENCHMARKS]
  readonly daysPerYear: 365
  /** Annual, a fraction. */
  readonly riskFreeRate: number
  /** Delta degrees of freedom of a standard deviation: it divides by n - ddof. */
  readonly ddof: 1
  readonly minimum: typeof MINIMUM
}

const BENCHMARKS = {
  one: 'all equity bought at the first open and held, without costs',
  several:
    'equal parts of all equity bought of every instrument at its first open (cash until then) and held, without costs',
} as const

/** Crypto markets never close, so a year has all its days. */
export const DAYS_PER_YEAR = 365

/** Length of a UTC day. */
export const DAY_MS = 86_400_000

/** The smallest samples that figures are given for. */
export const MINIMUM = {
  /** Days for a compound annual rate: below half a year its exponent is above 2, and luck is projected, not skill. */
  daysForAnnualRate: 180,
  /** Daily returns needed for means, deviations and ratios of them. */
  dailyReturns: 30,
  /** Daily returns for the worst 5%: five of them. */
  dailyReturnsForTails: 100,
  /** Days, and calendar months, for the best and the worst of them. */
  bestAndWorst: 2,
  /** Round trips for SQN and Kelly. */
  roundTrips: 30,
} as const

/** The convention with an annual risk-free rate (a fraction), for so many instruments. */
export function conventionWith(riskFreeRate: number, instruments = 1): Convention {
  return {
    returns: 'equity marked to market, at the end of each UTC day',
    drawdowns: 'equity marked to market, at the close of each kline',
    benchmark: BENCHMARKS[instruments > 1 ? 'several' : 'one'],
    daysPerYear: DAYS_PER_YEAR,
    riskFreeRate,
    ddof: 1,
    minimum: MINIMUM,
  }
}

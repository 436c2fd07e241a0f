import type { Amount } from '../../../src/domain/numbers/amount.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { PathPolicy } from '../../models/fill-settings.ts'

/** Round trips and open positions that the path inside a kline decided. */
export interface Ambiguity {
  /** The assumed path; `trades` if recorded trades made an assumption unnecessary. */
  readonly policy: PathPolicy | 'trades'
  /** Indices of the round trips that another path might have changed, ascending. */
  readonly roundTrips: readonly number[]
  /** Indices of the open positions that another path would have entered otherwise or closed, ascending. */
  readonly openPositions: readonly number[]
}

/** Results of the same run by the worst and by the best path inside every kline: see `boundsOf`. */
export interface Bounds {
  readonly worst: Metrics
  readonly best: Metrics
  /** True if both runs have the same fills. */
  readonly areAlike: boolean
}

/** One payment of funding. */
export interface ReportedFunding {
  readonly symbol: string
  /** ms UTC. */
  readonly time: number
  /** Quote paid if positive, received if negative. */
  readonly amount: Amount
}

/** One market or one strategy among several of a run. Money in quote. */
export interface ReportPart {
  readonly kind: 'market' | 'strategy'
  /** Such as `sma-cross on ETH/USDT 1h`, or `sma-cross`. */
  readonly name: string
  readonly roundTrips: number
  /** Profit of its round trips after fees. */
  readonly netProfit: number
  /** Fees of its round trips and open positions. */
  readonly fees: number
  /** Fraction of the run's time with an open position. */
  readonly exposure: number
}

/** A small table of a report: texts, the first column aligned left and the others right. */
export interface Breakdown {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

import type { PathPolicy } from '../../../backtest/models/fill-settings.ts'
import type { Size } from '../../domain/signal.ts'
import type { BacktestOutputs } from './backtest-output.ts'
import type { GapPolicy } from './gap-policy.ts'
import type { BacktestSources } from './input/backtest-sources.ts'

/** The instrument of a role. */
export interface RoleOptions {
  readonly symbol: string
  /** Size of signals that name none; default: that of the strategy. */
  readonly size?: Size | undefined
}

/** Which strategy trades what, and where its klines are. */
export interface MarketOptions {
  /** Path of a strategy file. */
  readonly strategy: string
  /** Path of a kline file; otherwise the klines are those of the store. */
  readonly data?: string
  /** Path of a file of best bids and asks, recorded with the trades that `data` has. */
  readonly book?: string
  /** Path of a file of finer klines; otherwise they are those of the store. */
  readonly detailData?: string
  /** Folder of the kline store. */
  readonly store: string
  /** Whose klines of the store, where several venues have them. */
  readonly venue?: string
  readonly symbol: string
  readonly interval: string
  readonly parameters: Readonly<Record<string, string>>
  /** The instruments of the strategy's roles. */
  readonly roles?: Readonly<Record<string, RoleOptions>>
  /** Paths of kline files by role or feed; otherwise the klines are those of the store. */
  readonly feedData?: Readonly<Record<string, string>>
  /** Which of `strategies` of the configuration it is, from 0 on; it then also says size and risk. */
  readonly entry?: number
}

/** Options of the backtest command. */
export interface BacktestCommandOptions extends MarketOptions, BacktestOutputs {
  /** All markets, where there are several; what the options say of one does not count then. */
  readonly markets?: readonly MarketOptions[]
  readonly gaps: GapPolicy
  /** Path of a YAML file. */
  readonly config: string
  /** What such a file says, instead of the file. */
  readonly configValues?: unknown
  /** Of the inside of klines, instead of what the configuration says. */
  readonly path?: PathPolicy
  /** Interval of finer klines that tell the path. */
  readonly detail?: string
  /** Whether the worst and the best path are played as well. */
  readonly bounds?: boolean
  /** First open time, ms UTC. */
  readonly from?: number
  /** End of the open times (not included), ms UTC. */
  readonly to?: number
  readonly seed: number
  /** Where strategies and klines are from; by default everything is read anew. */
  readonly sources?: BacktestSources
}

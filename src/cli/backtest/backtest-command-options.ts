import type { PathPolicy } from '../../../backtest/models/fill-settings.ts'
import type { Size } from '../../domain/signal.ts'
import type { QueueAssumption } from '../../matching/queue-assumption.ts'
import type { BacktestOutputs } from './backtest-output.ts'
import type { GapPolicy } from './gap-policy.ts'
import type { BacktestSources } from './input/backtest-sources.ts'

/** Instrument of a role. */
export interface RoleOptions {
  readonly symbol: string
  /** Size of signals without a size; default: that of the strategy. */
  readonly size?: Size | undefined
}

/** A strategy on a symbol, with the source of its klines. */
export interface MarketOptions {
  /** Path of a strategy file. */
  readonly strategy: string
  /** Path of a kline file; default: klines of the store. */
  readonly data?: string
  /** Path of a file of best bids and asks, recorded with the trades of `data`. */
  readonly book?: string
  /** Path of a file of finer klines; default: klines of the store. */
  readonly detailData?: string
  /** Folder of the kline store. */
  readonly store: string
  /** Venue of the stored klines; needed if several venues have them. */
  readonly venue?: string
  readonly symbol: string
  readonly interval: string
  readonly parameters: Readonly<Record<string, string>>
  /** Instruments of the strategy's roles. */
  readonly roles?: Readonly<Record<string, RoleOptions>>
  /** Paths of kline files by role or feed; default: klines of the store. */
  readonly feedData?: Readonly<Record<string, string>>
  /** Index of its entry in the configuration's `strategies`, from 0; the entry also sets size and risk. */
  readonly entry?: number
}

export interface BacktestCommandOptions extends MarketOptions, BacktestOutputs {
  /** Several markets; they replace the options of a single one. */
  readonly markets?: readonly MarketOptions[]
  readonly gaps: GapPolicy
  /** True plays the trades of the store, with the best prices recorded with them. */
  readonly ticks?: boolean
  /** Venue of the store whose funding rates contracts pay; default: as the configuration says. */
  readonly funding?: string
  /** Path of a YAML file. */
  readonly config: string
  /** Content of such a file, in place of the file. */
  readonly configValues?: unknown
  /** Path policy within klines; default: the configuration's. */
  readonly path?: PathPolicy
  /** Assumed queue on recorded ticks; default: the configuration's. */
  readonly queue?: QueueAssumption
  /** Interval of finer klines that show the path. */
  readonly detail?: string
  /** True also plays the worst and the best path. */
  readonly bounds?: boolean
  /** First open time, ms UTC. */
  readonly from?: number
  /** End of the open times (not included), ms UTC. */
  readonly to?: number
  readonly seed: number
  /** Path of the study file that counts the run; without it, none does. */
  readonly study?: string
  /** Source of strategies and klines; by default they are read from disk. */
  readonly sources?: BacktestSources
}

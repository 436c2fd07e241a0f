import type { Kline } from '../domain/market-data/kline.ts'
import { LiveView } from './feeds/live-view.ts'
import type { RecentKlines } from './feeds/recent-klines.ts'
import type { Parameters, ParameterValues } from './parameters.ts'
import type { Context, FeedView } from './strategy-definition.ts'
import type { StrategyView } from './strategy-view.ts'

export interface RunContextOptions<P extends Parameters, S> {
  readonly parameters: ParameterValues<P>
  readonly indicators: unknown
  readonly state: S
  readonly view: StrategyView
  readonly feeds: Readonly<Record<string, FeedView<unknown>>>
  readonly history: RecentKlines | undefined
}

const NO_KLINES: readonly Kline[] = []

/** A context with a live view. */
export class RunContext<P extends Parameters, I, S, M extends string, F>
  extends LiveView<M>
  implements Context<P, I, S, M, F>
{
  readonly parameters: ParameterValues<P>
  readonly indicators: Context<P, I, S, M, F>['indicators']
  /** Replaced only before a run continues after a restart. */
  state: S
  readonly feeds: Context<P, I, S, M, F>['feeds']
  readonly #view: StrategyView
  readonly #history: RecentKlines | undefined

  constructor({ parameters, indicators, state, view, feeds, history }: RunContextOptions<P, S>) {
    super(view)
    this.parameters = parameters
    // Both have the names and types of the definition.
    this.indicators = indicators as Context<P, I, S, M, F>['indicators']
    this.feeds = feeds as Context<P, I, S, M, F>['feeds']
    this.state = state
    this.#view = view
    this.#history = history
  }

  get time(): number {
    return this.#view.time
  }

  get history(): readonly Kline[] {
    return this.#history?.all ?? NO_KLINES
  }
}

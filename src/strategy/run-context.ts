import type { Instrument } from '../domain/instrument.ts'
import type { Interval } from '../domain/interval.ts'
import type { Kline } from '../domain/kline.ts'
import type { Parameters, ParameterValues } from './parameters.ts'
import type { RecentKlines } from './recent-klines.ts'
import type { Context, FeedView } from './strategy-definition.ts'
import type { MarketView, OrderView, Positions, PositionView, StrategyView } from './strategy-view.ts'

/** What a context is made of. */
export interface RunContextOptions<P extends Parameters, S> {
  readonly parameters: ParameterValues<P>
  readonly indicators: unknown
  readonly state: S
  readonly view: StrategyView
  readonly feeds: Readonly<Record<string, FeedView<unknown>>>
  readonly history: RecentKlines | undefined
}

const NO_KLINES: readonly Kline[] = []

/** A context whose view fields always show the present. */
export class RunContext<P extends Parameters, I, S, M extends string, F> implements Context<P, I, S, M, F> {
  readonly parameters: ParameterValues<P>
  readonly indicators: Context<P, I, S, M, F>['indicators']
  /** Replaced only before a run goes on after a restart. */
  state: S
  readonly instrument: Instrument
  readonly interval: Interval
  readonly markets: Readonly<Record<M, MarketView>>
  readonly feeds: Context<P, I, S, M, F>['feeds']
  readonly #view: StrategyView
  readonly #history: RecentKlines | undefined

  constructor({ parameters, indicators, state, view, feeds, history }: RunContextOptions<P, S>) {
    this.parameters = parameters
    // Both have the names and the types that the definition gave them.
    this.indicators = indicators as Context<P, I, S, M, F>['indicators']
    this.feeds = feeds as Context<P, I, S, M, F>['feeds']
    this.state = state
    this.instrument = view.instrument
    this.interval = view.interval
    this.markets = view.markets as Readonly<Record<M, MarketView>> // whoever starts a run gives it all its roles
    this.#view = view
    this.#history = history
  }

  get time(): number {
    return this.#view.time
  }

  get price(): number {
    return this.#view.price
  }

  get position(): PositionView {
    return this.#view.position
  }

  get positions(): Positions {
    return this.#view.positions
  }

  get orders(): readonly OrderView[] {
    return this.#view.orders
  }

  get equity(): number {
    return this.#view.equity
  }

  get history(): readonly Kline[] {
    return this.#history?.all ?? NO_KLINES
  }

  /** A function of its own, because handlers take what they need out of their context. */
  readonly balance = (asset: string): number => this.#view.balance(asset)
}

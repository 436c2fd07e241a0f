import type { Instrument } from '../../domain/instrument.ts'
import type { Interval } from '../../domain/market-data/interval.ts'
import type {
  LotView,
  MarketView,
  OrderView,
  PlotValues,
  Positions,
  PositionView,
  StrategyView,
} from '../strategy-view.ts'

/** Live part of a strategy's view, without the time. */
export abstract class LiveView<Role extends string> implements Omit<StrategyView, 'time'> {
  readonly instrument: Instrument
  readonly interval: Interval
  /** Instruments of its roles. */
  readonly markets: Readonly<Record<Role, MarketView>>
  readonly #view: StrategyView

  constructor(view: StrategyView) {
    this.instrument = view.instrument
    this.interval = view.interval
    this.markets = view.markets as Readonly<Record<Role, MarketView>> // the starter of a run passes all its roles
    this.#view = view
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

  get lots(): readonly LotView[] {
    return this.#view.lots
  }

  get orders(): readonly OrderView[] {
    return this.#view.orders
  }

  get equity(): number {
    return this.#view.equity
  }

  /** A function property, because handlers destructure their context. */
  readonly balance = (asset: string): number => this.#view.balance(asset)

  /** A function property for the same reason. */
  readonly plot = (values: PlotValues): void => this.#view.plot(values)
}

import type { SchedulerLike } from 'rxjs'
import type { Instrument } from '../domain/instrument.ts'
import type { Interval } from '../domain/interval.ts'
import type {
  MarketView,
  OrderView,
  Positions,
  PositionView,
  StrategyView,
} from '../strategy/strategy-view.ts'

/** What streams may look at beside the data that they are shown; read it while an event is shown, it always tells the present. */
export class StreamContext<Role extends string = string> implements StrategyView {
  /**
   * Market time for the operators of rxjs that take a scheduler. What is scheduled is done with the first event at or after
   * its time: before that event if it was due earlier, after it if it is due at that very moment.
   */
  readonly scheduler: SchedulerLike
  readonly instrument: Instrument
  readonly interval: Interval
  /** The instruments of its roles. */
  readonly markets: Readonly<Record<Role, MarketView>>
  /** Of what is shown: a kline of the warm-up is in the past, which the rest is not. */
  time = Number.NaN
  readonly #view: StrategyView

  constructor(view: StrategyView, scheduler: SchedulerLike) {
    this.scheduler = scheduler
    this.instrument = view.instrument
    this.interval = view.interval
    this.markets = view.markets as Readonly<Record<Role, MarketView>> // whoever starts a run gives it all its roles
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

  get orders(): readonly OrderView[] {
    return this.#view.orders
  }

  get equity(): number {
    return this.#view.equity
  }

  balance(asset: string): number {
    return this.#view.balance(asset)
  }
}

import type { SchedulerLike } from 'rxjs'
import { LiveView } from '../strategy/feeds/live-view.ts'
import type { PlotValues, StrategyView } from '../strategy/strategy-view.ts'

/** Live view of the account and the market for streams; valid while an event is emitted. */
export class StreamContext<Role extends string = string> extends LiveView<Role> implements StrategyView {
  /**
   * Market time for operators of rxjs that take a scheduler. Scheduled work runs with the first event at or
   * after its time: before that event if it was due earlier, after it if it is due at exactly that time.
   */
  readonly scheduler: SchedulerLike
  /** Time of the emitted event, ms UTC: earlier than the rest of the view for a kline of the warm-up. */
  time = Number.NaN
  /** True for klines of the warm-up, whose plots have no place on a chart of decisions. */
  isWarmingUp = false
  override readonly plot: (values: PlotValues) => void

  constructor(view: StrategyView, scheduler: SchedulerLike) {
    super(view)
    this.scheduler = scheduler
    this.plot = values => {
      if (!this.isWarmingUp) view.plot(values)
    }
  }
}

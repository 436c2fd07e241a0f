import type { SchedulerLike } from 'rxjs'
import { ViewOfPresent } from '../strategy/feeds/view-of-present.ts'
import type { StrategyView } from '../strategy/strategy-view.ts'

/** What streams may look at beside the data that they are shown; read it while an event is shown, it always tells the present. */
export class StreamContext<Role extends string = string> extends ViewOfPresent<Role> implements StrategyView {
  /**
   * Market time for the operators of rxjs that take a scheduler. What is scheduled is done with the first event at or after
   * its time: before that event if it was due earlier, after it if it is due at that very moment.
   */
  readonly scheduler: SchedulerLike
  /** Of what is shown: a kline of the warm-up is in the past, which the rest is not. */
  time = Number.NaN

  constructor(view: StrategyView, scheduler: SchedulerLike) {
    super(view)
    this.scheduler = scheduler
  }
}

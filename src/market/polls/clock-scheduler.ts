import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs'
import type { Clock } from '../../domain/clock.ts'

/** RxJS scheduler on a `Clock`, so that streams run on real, accelerated or virtual time. */
export function clockScheduler(clock: Clock): SchedulerLike {
  return {
    now: () => clock.now(),
    schedule<State>(
      work: (this: SchedulerAction<State>, state?: State) => void,
      delay = 0,
      state?: State,
    ): Subscription {
      return new ClockAction(clock, work).schedule(state, delay)
    },
  }
}

class ClockAction<State> extends Subscription implements SchedulerAction<State> {
  readonly #clock: Clock
  readonly #work: (this: SchedulerAction<State>, state?: State) => void
  /**
   * Cancels the latest call; earlier ones have run, and a poll that runs for months must not accumulate them.
   */
  #cancel: () => void = () => {}

  constructor(clock: Clock, work: (this: SchedulerAction<State>, state?: State) => void) {
    super()
    this.#clock = clock
    this.#work = work
    this.add(() => this.#cancel())
  }

  schedule(state?: State, delay = 0): Subscription {
    if (this.closed) return this
    this.#cancel = this.#clock.schedule(delay, () => this.#run(state))
    return this
  }

  #run(state: State | undefined): void {
    if (!this.closed) this.#work.call(this, state)
  }
}

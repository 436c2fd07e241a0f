import { type SchedulerLike, VirtualTimeScheduler } from 'rxjs'

/** Time of streams: it advances only with events. */
export class MarketTime {
  readonly #scheduler = new VirtualTimeScheduler()

  /** Scheduler for operators of rxjs: `timer(60_000, scheduler)`, `debounceTime(60_000, scheduler)`, … */
  get scheduler(): SchedulerLike {
    return this.#scheduler
  }

  /** True while work is scheduled. */
  get isAwaited(): boolean {
    return this.#scheduler.actions.length > 0
  }

  /** Starts at `time` (ms UTC), before any work is scheduled. */
  begin(time: number): void {
    this.#scheduler.frame = time
  }

  /** Advances to `time` (ms UTC); work that is due before it runs first, each at its own time. */
  reach(time: number): void {
    const scheduler = this.#scheduler
    if (time <= scheduler.frame) return
    // Times are whole milliseconds; work that is due at exactly `time` runs after the event.
    if (this.isAwaited) this.#flush(time - 1)
    scheduler.frame = time
  }

  /** Runs the work that is due now. */
  settle(): void {
    const now = this.#scheduler.frame
    if (!this.isAwaited) return
    this.#flush(now)
    this.#scheduler.frame = now
  }

  /** Leaves the scheduler at the time of its last work. */
  #flush(until: number): void {
    this.#scheduler.maxFrames = until
    this.#scheduler.flush()
  }
}

import { type SchedulerLike, VirtualTimeScheduler } from 'rxjs'

/** The time that streams live in: it passes with events, and nothing else moves it. */
export class MarketTime {
  readonly #scheduler = new VirtualTimeScheduler()

  /** For the operators of rxjs that take a scheduler: `timer(60_000, scheduler)`, `debounceTime(60_000, scheduler)`, … */
  get scheduler(): SchedulerLike {
    return this.#scheduler
  }

  /** Whether something waits for its time. */
  get isAwaited(): boolean {
    return this.#scheduler.actions.length > 0
  }

  /** Begins at `time` (ms UTC), before anything waits. */
  begin(time: number): void {
    this.#scheduler.frame = time
  }

  /** Goes on to `time` (ms UTC); what was due before it is done first, each at its own time. */
  reach(time: number): void {
    const scheduler = this.#scheduler
    if (time <= scheduler.frame) return
    // Times are whole milliseconds; what is due at this very moment comes after the event.
    if (this.isAwaited) this.#flush(time - 1)
    scheduler.frame = time
  }

  /** Does what is due now. */
  settle(): void {
    const now = this.#scheduler.frame
    if (!this.isAwaited) return
    this.#flush(now)
    this.#scheduler.frame = now
  }

  /** Leaves the scheduler at the time of what it did last. */
  #flush(until: number): void {
    this.#scheduler.maxFrames = until
    this.#scheduler.flush()
  }
}

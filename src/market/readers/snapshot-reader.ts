import type { SchedulerLike } from 'rxjs'
import type { MarketFact } from '../market-event.ts'
import type { PeriodicPace } from '../polls/periodic-pace.ts'
import type { PollReader, Reading } from '../polls/poll-reader.ts'

export interface SnapshotReaderOptions {
  readonly stream: string
  readonly pace: PeriodicPace
  readonly ask: () => Promise<MarketFact>
  /** Description of an impossible value, a whole sentence; such an answer is refused. */
  readonly problemOf: (fact: MarketFact) => string | undefined
  readonly scheduler: SchedulerLike
}

/** Reads data of which only the latest state matters, such as an order book. */
export class SnapshotReader implements PollReader {
  readonly streams: readonly string[]
  readonly #options: SnapshotReaderOptions

  constructor(options: SnapshotReaderOptions) {
    this.#options = options
    this.streams = [options.stream]
  }

  dueAt(now: number): number {
    return this.#options.pace.dueAt(now)
  }

  async read(): Promise<() => Reading> {
    const { ask, pace, problemOf, scheduler, stream } = this.#options
    pace.begin()
    const fact = await ask()
    const reason = problemOf(fact)
    if (reason !== undefined) return () => ({ events: [{ type: 'refused', stream, reason }], alive: [] })
    return () => ({ events: [fact], alive: [{ stream, dueAt: scheduler.now() + pace.everyMs }] })
  }
}

import type { QueueAssumption } from '../../matching/queue-assumption.ts'
import { SampledLatency, type SampledLatencyState } from '../../matching/sampled-latency.ts'
import type { SessionRow } from '../../matching/session-row.ts'
import type { LiveRules } from './live-rules.ts'
import type { MarketObservation } from './market-observation.ts'

/** Queue and latency of all markets of an exchange that are only observed, and the record of their orders. */
export class LiveState implements LiveRules {
  readonly queue: QueueAssumption
  /** Takes each row of the session's record. */
  onRow: ((row: SessionRow) => void) | undefined
  readonly #latency: SampledLatency

  /** `seed` decides which of the measured latencies each order gets. */
  constructor(queue: QueueAssumption, seed: number) {
    this.queue = queue
    this.#latency = new SampledLatency(seed)
  }

  readonly arrivalAt = (now: number): number => Math.ceil(now) + this.#latency.next()

  readonly note = (row: SessionRow): void => this.onRow?.(row)

  /** Takes the round trip of an observation, where it was measured. */
  measure(observation: MarketObservation): void {
    if (observation.kind === 'book' && observation.roundTripMs !== undefined)
      this.#latency.measure(observation.roundTripMs)
  }

  dump(): SampledLatencyState {
    return this.#latency.dump()
  }

  restore(state: SampledLatencyState): void {
    this.#latency.restore(state)
  }
}

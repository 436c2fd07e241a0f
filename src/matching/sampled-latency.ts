import { seededRandomAt } from '../domain/numbers/seeded-random.ts'

/** A latency sampler as plain data. */
export interface SampledLatencyState {
  /** The latest round trips, ms, oldest first. */
  readonly roundTrips: readonly number[]
  /** Samples drawn so far. */
  readonly drawn: number
}

/** Round trips that are drawn from. */
const KEPT = 500
/** Latency before the first measurement, ms. */
const UNMEASURED_MS = 250

/** Latencies of orders, drawn from measured round trips to the host; a seed decides which. */
export class SampledLatency {
  readonly #randomAt: (index: number) => { readonly uniform: () => number }
  #roundTrips: number[] = []
  #drawn = 0

  constructor(seed: string | number) {
    this.#randomAt = seededRandomAt(`${seed}/latency`)
  }

  dump(): SampledLatencyState {
    return { roundTrips: this.#roundTrips, drawn: this.#drawn }
  }

  restore({ roundTrips, drawn }: SampledLatencyState): void {
    this.#roundTrips = [...roundTrips]
    this.#drawn = drawn
  }

  /** Takes a measured round trip, ms. */
  measure(roundTripMs: number): void {
    this.#roundTrips.push(Math.round(roundTripMs))
    if (this.#roundTrips.length > KEPT) this.#roundTrips.shift()
  }

  /** Latency of the next order or cancel, whole ms. */
  next(): number {
    const { uniform } = this.#randomAt(this.#drawn++)
    return this.#roundTrips[Math.floor(uniform() * this.#roundTrips.length)] ?? UNMEASURED_MS
  }
}

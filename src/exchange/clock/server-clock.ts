import type { Clock } from '../../domain/clock.ts'
import { estimateOffset, type OffsetEstimate, type TimeSample } from './server-clock-estimate.ts'

/** What is known of the server's clock. */
export interface ServerClockState {
  /** Server time minus the clock's time, ms. */
  readonly offsetMs: number
  /** How far that may be off by now, ms; infinite before the first measurement. */
  readonly uncertaintyMs: number
  /** Shortest round trip of the last measurement, ms. */
  readonly roundTripMs: number
  /** Time since the last measurement, ms; `undefined` before the first, or where nothing is measured. */
  readonly ageMs: number | undefined
}

/** The server's clock as far as it is known. */
export interface ServerClock {
  /** Estimated server time, a whole number of ms UTC. */
  now(): number
  state(): ServerClockState
  /**
   * Measures where the estimate is missing; where it is merely old, sees to a fresh one without waiting for it. `undefined`
   * where there is nothing to wait for.
   */
  prepare(): Promise<void> | undefined
  /** Measures anew, unless that was done after `since` (ms UTC of the clock); resolves to whether anything can have changed. */
  synchronise(since?: number): Promise<boolean>
}

/** What a measured server clock needs. */
export interface ServerClockOptions {
  readonly clock: Clock
  /** Asks the server for its time, once. */
  readonly sample: () => Promise<TimeSample>
}

/** Round trips of one measurement. */
const SAMPLES = 5
/** After this an estimate is renewed. */
const RENEWED_AFTER_MS = 60_000
/** After a failed renewal the next one waits this long. */
const RETRIED_AFTER_MS = 5000
/** How fast two clocks run apart at most: quartz keeps within 100 millionths of its rate. */
const DRIFT = 1e-4

interface Measurement extends OffsetEstimate {
  readonly at: number
  readonly roundTripMs: number
}

/** A server clock whose offset the user vouches for, such as 0 where both sides read the same clock. */
export function knownServerClock(clock: Clock, offset: () => number): ServerClock {
  return {
    now: () => Math.floor(clock.now() + offset()),
    state: () => ({ offsetMs: offset(), uncertaintyMs: 0, roundTripMs: 0, ageMs: undefined }),
    prepare: () => undefined,
    synchronise: async () => false,
  }
}

/**
 * Follows the server's clock by measuring. Every measurement stands alone: after a step of the server's clock, or a machine
 * that slept, older ones would only mislead. In between, the uncertainty grows by what clocks drift; a step shows as a refused timestamp.
 */
export class MeasuredServerClock implements ServerClock {
  readonly #clock: Clock
  readonly #sample: () => Promise<TimeSample>
  #measured: Measurement | undefined
  #measuring: Promise<void> | undefined
  #renewAt = Number.NEGATIVE_INFINITY

  constructor({ clock, sample }: ServerClockOptions) {
    this.#clock = clock
    this.#sample = sample
  }

  now(): number {
    return Math.floor(this.#clock.now() + (this.#measured?.offsetMs ?? 0))
  }

  state(): ServerClockState {
    const measured = this.#measured
    if (measured === undefined) {
      return { offsetMs: 0, uncertaintyMs: Number.POSITIVE_INFINITY, roundTripMs: 0, ageMs: undefined }
    }
    const ageMs = this.#clock.now() - measured.at
    const { offsetMs, uncertaintyMs, roundTripMs } = measured
    return { offsetMs, uncertaintyMs: uncertaintyMs + ageMs * DRIFT, roundTripMs, ageMs }
  }

  prepare(): Promise<void> | undefined {
    if (this.#measured === undefined) return this.#measureOnce()
    if (this.#clock.now() >= this.#renewAt) void this.#measureOnce().catch(() => undefined)
    return undefined
  }

  async synchronise(since = Number.POSITIVE_INFINITY): Promise<boolean> {
    if (this.#measured === undefined || this.#measured.at <= since) await this.#measureOnce()
    return true
  }

  /** All who want a measurement at one time share it. */
  #measureOnce(): Promise<void> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = undefined
    })
    return this.#measuring
  }

  async #measure(): Promise<void> {
    this.#renewAt = this.#clock.now() + RETRIED_AFTER_MS
    const samples = await this.#collect()
    const at = this.#clock.now()
    const roundTripMs = Math.min(...samples.map(({ sentAt, receivedAt }) => receivedAt - sentAt))
    this.#measured = { ...estimateOffset(samples), roundTripMs, at }
    this.#renewAt = at + RENEWED_AFTER_MS
  }

  /** One after the other; once there is a sample, a failure only means fewer of them. */
  async #collect(): Promise<readonly TimeSample[]> {
    const samples: TimeSample[] = []
    for (let round = 0; round < SAMPLES; round++) {
      try {
        samples.push(await this.#sample())
      } catch (error) {
        if (samples.length === 0) throw error
      }
    }
    return samples
  }
}

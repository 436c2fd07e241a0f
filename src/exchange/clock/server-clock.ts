import type { Clock } from '../../domain/clock.ts'
import { estimateOffset, type OffsetEstimate, type TimeSample } from './server-clock-estimate.ts'

/** Estimate of the server's clock. */
export interface ServerClockState {
  /** Server time minus the clock's time, ms. */
  readonly offsetMs: number
  /** Largest error of the offset by now, ms; infinite before the first measurement. */
  readonly uncertaintyMs: number
  /** Shortest round trip of the last measurement, ms. */
  readonly roundTripMs: number
  /** Time since the last measurement, ms; `undefined` before the first, or if the offset is not measured. */
  readonly ageMs: number | undefined
}

/** Estimated clock of the server. */
export interface ServerClock {
  /** Estimated server time, a whole number of ms UTC. */
  now(): number
  state(): ServerClockState
  /**
   * Measures if there is no estimate; renews an old one in the background. `undefined` if there is nothing to
   * wait for.
   */
  prepare(): Promise<void> | undefined
  /**
   * Measures again, unless that was done after `since` (ms UTC of the clock); resolves to true if the
   * estimate may have changed.
   */
  synchronise(since?: number): Promise<boolean>
}

export interface ServerClockOptions {
  readonly clock: Clock
  /** Takes one sample of the server's time. */
  readonly sample: () => Promise<TimeSample>
}

/** Round trips of one measurement. */
const SAMPLES = 5
/** Age at which an estimate is renewed, ms. */
const RENEWED_AFTER_MS = 60_000
/** Delay before a failed renewal is tried again, ms. */
const RETRIED_AFTER_MS = 5000
/** Largest relative drift of two clocks: quartz keeps within 100 millionths of its rate. */
const DRIFT = 1e-4

interface Measurement extends OffsetEstimate {
  readonly at: number
  readonly roundTripMs: number
}

/** Server clock with an offset that the user guarantees, such as 0 if both sides read the same clock. */
export function knownServerClock(clock: Clock, offset: () => number): ServerClock {
  return {
    now: () => Math.floor(clock.now() + offset()),
    state: () => ({ offsetMs: offset(), uncertaintyMs: 0, roundTripMs: 0, ageMs: undefined }),
    prepare: () => undefined,
    synchronise: async () => false,
  }
}

/**
 * Measures the server's clock. Each measurement stands alone: after a step of the server's clock, or after
 * the machine slept, older ones would mislead. In between, the uncertainty grows by the drift of clocks; a
 * step shows as a refused timestamp.
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

  /** Callers that need a measurement at the same time share one. */
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

  /** Takes the samples in sequence; after the first sample, a failure only leaves fewer of them. */
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

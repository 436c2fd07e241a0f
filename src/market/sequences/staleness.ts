import type { StreamFresh, StreamStale } from '../market-event.ts'

/** A stream whose silence is reported. */
export interface WatchedStream {
  readonly stream: string
  /** Due time of its first datum, ms UTC. */
  readonly dueAt: number
}

interface Watched {
  dueAt: number
  /** Time of its latest datum, ms UTC; before that, of the start. */
  lastAt: number
  isStale: boolean
}

/** Detects silent streams: a datum is overdue by more than `toleranceMs`; and the end of the silence. */
export class Staleness {
  readonly #streams: ReadonlyMap<string, Watched>
  readonly #toleranceMs: number

  constructor(streams: readonly WatchedStream[], toleranceMs: number, now: number) {
    this.#toleranceMs = toleranceMs
    this.#streams = new Map(
      streams.map(({ stream, dueAt }) => [stream, { dueAt, lastAt: now, isStale: false }]),
    )
  }

  /** Notes a datum of a stream at `now`; the next one is due at `dueAt`. Both ms UTC. */
  saw(stream: string, now: number, dueAt: number): readonly StreamFresh[] {
    const watched = this.#streams.get(stream)
    if (watched === undefined) return []
    const ageMs = now - watched.lastAt
    const wasStale = watched.isStale
    watched.lastAt = now
    watched.dueAt = dueAt
    watched.isStale = false
    return wasStale ? [{ type: 'fresh', stream, ageMs }] : []
  }

  /**
   * Time of the next check: the first time after `now` at which a stream can become stale, or soon after.
   * Both ms UTC.
   */
  nextAt(now: number): number {
    let next = now + Math.max(1, this.#toleranceMs)
    for (const { isStale, dueAt } of this.#streams.values()) {
      if (!isStale) next = Math.min(next, dueAt + this.#toleranceMs + 1)
    }
    return Math.max(now + 1, next)
  }

  /** Streams that have become stale by `now`, ms UTC. */
  check(now: number): readonly StreamStale[] {
    const stale: StreamStale[] = []
    for (const [stream, watched] of this.#streams) {
      if (watched.isStale || now <= watched.dueAt + this.#toleranceMs) continue
      watched.isStale = true
      stale.push({ type: 'stale', stream, ageMs: now - watched.lastAt })
    }
    return stale
  }
}

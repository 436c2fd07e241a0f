import type { StreamFresh, StreamStale } from '../market-event.ts'

/** A stream that must not fall silent. */
export interface WatchedStream {
  readonly stream: string
  /** When it should bring its first datum, ms UTC. */
  readonly dueAt: number
}

interface Watched {
  dueAt: number
  /** ms UTC of its latest datum; of the beginning before that. */
  lastAt: number
  isStale: boolean
}

/** Tells when streams fall silent: when a datum is overdue by more than `toleranceMs`, and when one comes again. */
export class Staleness {
  readonly #streams: ReadonlyMap<string, Watched>
  readonly #toleranceMs: number

  constructor(streams: readonly WatchedStream[], toleranceMs: number, now: number) {
    this.#toleranceMs = toleranceMs
    this.#streams = new Map(
      streams.map(({ stream, dueAt }) => [stream, { dueAt, lastAt: now, isStale: false }]),
    )
  }

  /** A stream brought something at `now`; its next datum is due at `dueAt`. Both ms UTC. */
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

  /** When to check next: the first moment after `now` at which a stream can become stale as things stand, or soon after. Both ms UTC. */
  nextAt(now: number): number {
    let next = now + Math.max(1, this.#toleranceMs)
    for (const { isStale, dueAt } of this.#streams.values()) {
      if (!isStale) next = Math.min(next, dueAt + this.#toleranceMs + 1)
    }
    return Math.max(now + 1, next)
  }

  /** The streams that have become stale by `now`, ms UTC. */
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

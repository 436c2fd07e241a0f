import { streamOfEvent } from '../delivery/stream-of-event.ts'
import type { MarketEvent } from '../market-event.ts'

interface Entry {
  event: MarketEvent
  /** A newer event with the same key takes its place; `undefined`: it must not be lost. */
  readonly key: string | undefined
}

/**
 * What waits for a slow consumer, in order. Of tickers, order books, index prices and reports only the latest of a stream
 * waits; klines, trades and changes wait all, up to a bound. Beyond it the new ones are dropped, and an event in their
 * place says how many.
 */
export class EventQueue {
  readonly #bound: number
  readonly #entries: Entry[] = []
  readonly #latest = new Map<string, Entry>()
  #kept = 0
  /** Tells of what is being dropped now. */
  #dropping: Entry | undefined

  /** `bound`: how many events that must not be lost may wait. */
  constructor(bound: number) {
    this.#bound = bound
  }

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  /** Takes an event in. */
  push(event: MarketEvent): void {
    const key = keyOf(event)
    if (key === undefined) this.#keep(event)
    else this.#replace(key, event)
  }

  /** Takes the next event out. */
  shift(): MarketEvent | undefined {
    const entry = this.#entries.shift()
    if (entry === undefined) return undefined
    if (entry.key !== undefined) this.#latest.delete(entry.key)
    else if (entry.event.type !== 'dropped') this.#kept--
    if (entry === this.#dropping) this.#dropping = undefined
    return entry.event
  }

  #replace(key: string, event: MarketEvent): void {
    const waiting = this.#latest.get(key)
    if (waiting !== undefined) {
      waiting.event = event
      return
    }
    const entry = { event, key }
    this.#latest.set(key, entry)
    this.#entries.push(entry)
  }

  #keep(event: MarketEvent): void {
    if (this.#kept >= this.#bound) {
      this.#drop(event)
      return
    }
    this.#dropping = undefined
    this.#kept++
    this.#entries.push({ event, key: undefined })
  }

  #drop(dropped: MarketEvent): void {
    const stream = streamOfEvent(dropped)
    const before = this.#dropping?.event
    const count = before?.type === 'dropped' ? before.count : 0
    const streams = new Set(before?.type === 'dropped' ? before.streams : [])
    if (stream !== undefined) streams.add(stream)
    const event = { type: 'dropped', count: count + 1, bound: this.#bound, streams: [...streams] } as const
    if (this.#dropping !== undefined) {
      this.#dropping.event = event
      return
    }
    this.#dropping = { event, key: undefined }
    this.#entries.push(this.#dropping)
  }
}

function keyOf(event: MarketEvent): string | undefined {
  switch (event.type) {
    case 'ticker':
    case 'depth':
    case 'indexPrice':
      return streamOfEvent(event)
    case 'stale':
    case 'fresh':
      return `silence of ${event.stream}`
    case 'failed':
      return `failure of ${event.what}`
    default:
      return undefined
  }
}

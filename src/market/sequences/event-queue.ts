import type { MarketEvent } from '../market-event.ts'
import { streamOfEvent } from './stream-of-event.ts'

interface Entry {
  event: MarketEvent
  /** A newer event with the same key replaces it; `undefined`: it must not be lost. */
  readonly key: string | undefined
}

/**
 * Queue of a slow consumer, in order. Tickers, order books, index prices and reports keep only the latest of
 * a stream; klines, trades and changes all wait, up to a bound. Beyond it new ones are dropped, and an event
 * in their place gives their number.
 */
export class EventQueue {
  readonly #bound: number
  readonly #entries: Entry[] = []
  readonly #latest = new Map<string, Entry>()
  #kept = 0
  /** Event that counts the events dropped now. */
  #dropping: Entry | undefined

  /** `bound`: most waiting events that must not be lost. */
  constructor(bound: number) {
    this.#bound = bound
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0
  }

  push(event: MarketEvent): void {
    const key = keyOf(event)
    if (key === undefined) this.#keep(event)
    else this.#replace(key, event)
  }

  /** Removes and returns the next event. */
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

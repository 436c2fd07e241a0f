import { BoundedList } from './bounded-list.ts'
import type { JsonValue } from './protocol/json-text.ts'

/** An event for observers of a rehearsal. */
export interface LoggedEvent {
  readonly [field: string]: JsonValue | undefined
  /** Counted from 1, without gaps. */
  readonly sequence: number
  /** ms UTC. */
  readonly time: number
  readonly type: string
}

/** The latest events of the exchange. */
export class EventLog {
  readonly #events: BoundedList<LoggedEvent>
  #count = 0

  /** Keeps the newest `capacity` events, at least 1. */
  constructor(capacity: number) {
    this.#events = new BoundedList(capacity)
  }

  get count(): number {
    return this.#count
  }

  /** Writes the next event. */
  write(type: string, time: number, fields: Readonly<Record<string, JsonValue | undefined>>): void {
    this.#events.push({ sequence: ++this.#count, time, type, ...fields })
  }

  /** At most `limit` events after a sequence number, oldest first; dropped ones are missing. */
  after(sequence: number, limit: number): LoggedEvent[] {
    const found: LoggedEvent[] = []
    for (const event of this.#events.oldestFirst()) {
      if (found.length === limit) break
      if (event.sequence > sequence) found.push(event)
    }
    return found
  }
}

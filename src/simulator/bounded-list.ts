/** A list that remembers only the newest `capacity` items, so that an exchange can run for ever. */
export class BoundedList<Item> {
  readonly #capacity: number
  #items: Item[] = []
  #start = 0

  /** Keeps `capacity` items, at least 1. */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Number of stored items. */
  get size(): number {
    return this.#items.length - this.#start
  }

  get newest(): Item | undefined {
    return this.size === 0 ? undefined : this.#items[this.#items.length - 1]
  }

  get oldest(): Item | undefined {
    return this.#items[this.#start]
  }

  /** Appends an item; returns the one dropped for it, if any. */
  push(item: Item): Item | undefined {
    this.#items.push(item)
    return this.size > this.#capacity ? this.dropOldest() : undefined
  }

  /** Forgets the oldest item and returns it. */
  dropOldest(): Item | undefined {
    const item = this.oldest
    if (this.size > 0) this.#start++
    if (this.#start > 64 && this.#start * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#start)
      this.#start = 0
    }
    return item
  }

  /** Restores items, oldest first. */
  restore(items: Iterable<Item>): void {
    this.#items = [...items]
    this.#start = 0
  }

  /** The items, newest first. */
  *newestFirst(): Generator<Item> {
    for (let index = this.#items.length - 1; index >= this.#start; index--) yield this.#items[index] as Item // within bounds
  }

  /** The items, oldest first. */
  *oldestFirst(): Generator<Item> {
    for (let index = this.#start; index < this.#items.length; index++) yield this.#items[index] as Item // within bounds
  }
}

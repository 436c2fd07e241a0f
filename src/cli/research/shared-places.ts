import { setsAtOnce } from './sets-at-once.ts'

/** Places of the first and after the last set. */
interface Places {
  readonly first: number
  readonly end: number
}

/** Hands out the places of parameter sets, from 0 on, to the threads that run them: each takes some as soon as it is free, without a message. */
export class SharedPlaces {
  readonly #sets: number
  readonly #threads: number
  readonly #next: Int32Array<SharedArrayBuffer>

  /** `next`: shared by all threads; the place from which on none was taken. */
  constructor(sets: number, threads: number, next = new Int32Array(new SharedArrayBuffer(4))) {
    this.#sets = sets
    this.#threads = threads
    this.#next = next
  }

  /** The shared place from which on none was taken, for another thread of the same sets. */
  get next(): Int32Array<SharedArrayBuffer> {
    return this.#next
  }

  /** The next places; `undefined` once all are taken. */
  take(): Places | undefined {
    for (;;) {
      const first = Atomics.load(this.#next, 0)
      if (first >= this.#sets) return undefined
      const end = first + setsAtOnce(this.#sets - first, this.#threads)
      if (Atomics.compareExchange(this.#next, 0, first, end) === first) return { first, end }
    }
  }

  /** Leaves no place to take. */
  end(): void {
    Atomics.store(this.#next, 0, this.#sets)
  }
}

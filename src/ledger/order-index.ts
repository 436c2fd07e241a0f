import type { LedgerOrder } from './ledger-order.ts'

const NOTHING = -1

class Generation {
  readonly all: LedgerOrder[] = []
  /** The latest order of each bucket, by its place in `all`. */
  readonly #latest: number[]
  /** The order before each, in the same bucket. */
  readonly #before: number[] = []
  /** The hash of each, so that a chain is walked without looking at its orders. */
  readonly #hashes: number[] = []

  /** `buckets`: a power of two. */
  constructor(buckets: number) {
    this.#latest = new Array<number>(buckets).fill(NOTHING)
  }

  find(id: string, hash: number): LedgerOrder | undefined {
    let place = this.#latest[this.#bucketOf(hash)] as number // a bucket
    while (place !== NOTHING) {
      if (this.#hashes[place] === hash) {
        const tracked = this.all[place] as LedgerOrder // a place, as below
        if (tracked.id === id) return tracked
      }
      place = this.#before[place] as number
    }
    return undefined
  }

  add(tracked: LedgerOrder, hash: number): void {
    const bucket = this.#bucketOf(hash)
    this.#before.push(this.#latest[bucket] as number) // a bucket
    this.#hashes.push(hash)
    this.#latest[bucket] = this.all.length
    this.all.push(tracked)
  }

  #bucketOf(hash: number): number {
    return (hash ^ (hash >>> 12)) & (this.#latest.length - 1)
  }
}

/**
 * Orders by clientOrderId. A `Map` of strings would do, but V8 interns every new key, which costs more than
 * all other work of the ledger for an order; so this is a hash table with chained buckets.
 */
export class OrderIndex {
  readonly #buckets: number
  #recent: Generation
  #older: Generation

  /** `size`: orders between two calls of `forget`; chains stay short at so many. */
  constructor(size: number) {
    this.#buckets = 2 ** Math.ceil(Math.log2(size))
    this.#recent = new Generation(this.#buckets)
    this.#older = this.#recent
  }

  get(id: string): LedgerOrder | undefined {
    return this.#find(id, hashOf(id))
  }

  /** Adds an order; returns false if its id is already in the index. */
  add(tracked: LedgerOrder): boolean {
    const { id } = tracked
    const hash = hashOf(id)
    if (this.#find(id, hash) !== undefined) return false
    this.#recent.add(tracked, hash)
    return true
  }

  /** Orders added since the last `forget`, and those added between the two calls before. */
  get generations(): { readonly recent: readonly LedgerOrder[]; readonly older: readonly LedgerOrder[] } {
    return { recent: this.#recent.all, older: this.#older.all }
  }

  /** Adds the older generation of `generations`. */
  addOlder(orders: readonly LedgerOrder[]): void {
    this.#older = new Generation(this.#buckets)
    for (const tracked of orders) this.#older.add(tracked, hashOf(tracked.id))
  }

  /** Drops orders added before the last call, except `kept`. */
  forget(kept: readonly LedgerOrder[]): void {
    this.#older = this.#recent
    this.#recent = new Generation(this.#buckets)
    for (const tracked of kept) this.#recent.add(tracked, hashOf(tracked.id))
  }

  #find(id: string, hash: number): LedgerOrder | undefined {
    const found = this.#recent.find(id, hash)
    return found !== undefined || this.#older === this.#recent ? found : this.#older.find(id, hash)
  }
}

/** Characters that the hash is taken of: in a clientOrderId, time and ordinal are at the end. */
const HASHED = 12

/** 30 bits, which are a small integer. */
function hashOf(id: string): number {
  let hash = 0
  for (let index = Math.max(0, id.length - HASHED); index < id.length; index++)
    hash = (Math.imul(hash, 31) + id.charCodeAt(index)) | 0
  return hash & 0x3fffffff
}

import type { TrackedOrder } from './tracked-order.ts'

interface Link {
  readonly tracked: TrackedOrder
  /** The next order of the same hash. */
  readonly next: Link | undefined
}

type Links = Map<number, Link>

/**
 * Orders by clientOrderId. A `Map` of strings would do, but V8 interns every key that it has not seen, which costs more
 * than all else that the ledger does for an order; so this map is keyed by a hash, and orders of one hash form a chain.
 */
export class OrderIndex {
  #recent: Links = new Map()
  #older: Links = new Map()

  get(id: string): TrackedOrder | undefined {
    const hash = hashOf(id)
    return find(this.#recent.get(hash), id) ?? find(this.#older.get(hash), id)
  }

  /** Takes an order in, and says whether it did: not where its id is in the index. */
  add(tracked: TrackedOrder): boolean {
    const { id } = tracked
    const hash = hashOf(id)
    const next = this.#recent.get(hash)
    if (find(next, id) !== undefined || find(this.#older.get(hash), id) !== undefined) return false
    this.#recent.set(hash, { tracked, next })
    return true
  }

  /** What was added since `forget` was called last, and what was added between the two calls before. */
  get generations(): { readonly recent: readonly TrackedOrder[]; readonly older: readonly TrackedOrder[] } {
    return { recent: allIn(this.#recent), older: allIn(this.#older) }
  }

  /** Takes in, as the generation before the present one, what `generations` gave. */
  addOlder(orders: readonly TrackedOrder[]): void {
    const recent = this.#recent
    this.#recent = this.#older
    for (const tracked of orders) this.add(tracked)
    this.#recent = recent
  }

  /** Forgets what was added before the last call, but for the orders to keep. */
  forget(kept: readonly TrackedOrder[]): void {
    const recent = this.#recent
    this.#recent = new Map()
    this.#older = this.#recent
    for (const tracked of kept) this.add(tracked)
    this.#older = recent
  }
}

function find(first: Link | undefined, id: string): TrackedOrder | undefined {
  let link = first
  while (link !== undefined && link.tracked.id !== id) link = link.next
  return link?.tracked
}

/** Orders of one hash lie newest first in their chain, and come out as they were added. */
function allIn(links: Links): readonly TrackedOrder[] {
  const all: TrackedOrder[] = []
  for (const first of links.values()) {
    const chain: TrackedOrder[] = []
    for (let link: Link | undefined = first; link !== undefined; link = link.next) chain.unshift(link.tracked)
    all.push(...chain)
  }
  return all
}

/** Characters that the hash is taken of: in a clientOrderId, time and ordinal are at the end. */
const HASHED = 12

function hashOf(id: string): number {
  let hash = 0
  for (let index = Math.max(0, id.length - HASHED); index < id.length; index++)
    hash = (Math.imul(hash, 31) + id.charCodeAt(index)) | 0
  return hash
}

import { IncompleteRangeError } from './incomplete-range-error.ts'
import { unseen } from './unseen.ts'
import type { Range } from './until-aborted.ts'

/** A list that can be read from a given id. */
export interface IdRange<Item> {
  /** Name in errors, such as `own spot trades`. */
  readonly what: string
  /** First id, included; default: the oldest. */
  readonly fromId: string | undefined
  /** Most items in one answer. */
  readonly limit: number
  /** Items from the given id; without an id the newest items. */
  read(fromId: string | undefined, limit: number): Promise<readonly Item[]>
  /** Increasing decimal digits. */
  idOf(item: Item): string
  /** Equal for an item read twice, different for different items, such as the two sides of a self-trade. */
  nameOf(item: Item): string
}

/**
 * Reads a list in the order of its ids. "From this id" may or may not include it, so every page begins one id
 * before the last one read; the range ends when a page brings nothing new. Throws `IncompleteRangeError` if
 * the exchange interprets the id differently, and if one id has more items than a page.
 */
export async function* idRange<Item>(range: IdRange<Item>): Range<Item> {
  const { fromId, limit } = range
  const first = fromId === undefined ? 0n : BigInt(fromId)
  let cursor = first > 0n ? first - 1n : 0n
  let seen: ReadonlySet<string> = new Set()
  for (let isFirst = true; ; isFirst = false) {
    const page = await (isFirst ? firstPage(range, cursor) : range.read(String(cursor), limit))
    const items = inOrder(range, page)
    const lowest = items[0]
    if (lowest !== undefined && idNumber(range, lowest) < cursor) throw readsOtherwise(range, cursor)
    const fresh = unseen(items, range.nameOf, seen).filter(item => idNumber(range, item) >= first)
    const last = items.at(-1)
    if (last === undefined || fresh.length === 0) {
      if (items.length >= limit) throw crowdedId(range, cursor)
      return
    }
    yield* fresh
    seen = new Set(items.map(range.nameOf))
    cursor = idNumber(range, last) - 1n
  }
}

/**
 * First page. A second, shorter one shows that the exchange returns the oldest items from the id and not the
 * newest, and that it does not take the id 0 for a missing one.
 */
async function firstPage<Item>(range: IdRange<Item>, cursor: bigint): Promise<readonly Item[]> {
  const read = () => range.read(String(cursor), range.limit)
  let page = await read()
  if (page.length === 0 && cursor === 0n && (await range.read(undefined, range.limit)).length > 0) {
    // The very first item may have appeared between the two answers.
    page = await read()
    if (page.length === 0) throw readsOtherwise(range, cursor)
  }
  const lowest = lowestId(range, page)
  if (lowest === undefined) return page
  if (page.length < range.limit || lowest <= 1n) return page
  const second = cursor === 0n ? '1' : String(cursor)
  const probed = lowestId(range, await range.read(second, Math.ceil(range.limit / 2)))
  if (probed !== undefined && probed > lowest) throw readsOtherwise(range, cursor)
  return probed !== undefined && probed < lowest ? range.read(second, range.limit) : page
}

function inOrder<Item>(range: IdRange<Item>, items: readonly Item[]): readonly Item[] {
  return items.toSorted((left, right) => {
    const difference = idNumber(range, left) - idNumber(range, right)
    return difference === 0n ? 0 : difference < 0n ? -1 : 1
  })
}

function lowestId<Item>(range: IdRange<Item>, items: readonly Item[]): bigint | undefined {
  const first = inOrder(range, items)[0]
  return first === undefined ? undefined : idNumber(range, first)
}

function idNumber<Item>({ what, idOf }: IdRange<Item>, item: Item): bigint {
  const id = idOf(item)
  if (/^\d+$/.test(id)) return BigInt(id)
  throw new IncompleteRangeError(what, `the id "${id}" is not a number, so the list cannot be read from it.`)
}

function readsOtherwise<Item>({ what }: IdRange<Item>, cursor: bigint): IncompleteRangeError {
  return new IncompleteRangeError(
    what,
    `the exchange does not give the oldest entries from an id on when asked with fromId ${cursor}.`,
  )
}

function crowdedId<Item>({ what, limit }: IdRange<Item>, cursor: bigint): IncompleteRangeError {
  return new IncompleteRangeError(what, `the ids from ${cursor} on have ${limit} entries or more.`)
}

import { IncompleteRangeError } from './incomplete-range-error.ts'
import { unseen } from './unseen.ts'
import type { Range } from './until-aborted.ts'

/** A list that can be read from an id on. */
export interface IdRange<Item> {
  /** For errors, such as `own spot trades`. */
  readonly what: string
  /** Where to begin, included; default: with the oldest. */
  readonly fromId: string | undefined
  /** Most items in one answer. */
  readonly limit: number
  /** Items from an id on, or without one the newest. */
  read(fromId: string | undefined, limit: number): Promise<readonly Item[]>
  /** Decimal digits that grow. */
  idOf(item: Item): string
  /** The same for an item that is read twice, another for every other item, such as the other side of a trade with oneself. */
  nameOf(item: Item): string
}

/**
 * Reads a list from id to id, in their order. "From this id" may or may not include it, so every page begins one id
 * before the last one had; the range ends once a page brings nothing new. Throws `IncompleteRangeError` where the
 * exchange means something else by it, and where one id has more items than a page.
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
 * The page at the beginning. A second, shorter one tells whether the exchange gives the oldest items from the id on and
 * not the newest, and whether it takes the id 0 for none.
 */
async function firstPage<Item>(range: IdRange<Item>, cursor: bigint): Promise<readonly Item[]> {
  const read = () => range.read(String(cursor), range.limit)
  let page = await read()
  if (page.length === 0 && cursor === 0n && (await range.read(undefined, range.limit)).length > 0) {
    // The first item of all may have come between the two answers.
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
  throw new IncompleteRangeError(what, `the id "${id}" is no number, so that nothing can be read from it on.`)
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

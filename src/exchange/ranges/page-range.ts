import { type ListPosition, oldestFirst } from '../wire/oldest-first.ts'
import { IncompleteRangeError } from './incomplete-range-error.ts'
import { checkOrder } from './time-range.ts'
import { unseen } from './unseen.ts'
import type { Range } from './until-aborted.ts'

/** One page; `count` is the number of items on all pages, if the exchange gives it. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly count?: number | undefined
}

/** A list that is read by time windows and pages. */
export interface PageRange<Item> {
  /** Name in errors, such as `withdrawals`. */
  readonly what: string
  /** First and last ms (UTC) of the range, both included. */
  readonly from: number
  readonly to: number
  /** Length of a window, ms: its items are in memory together. */
  readonly windowMs: number
  /** A page (from 1) of a window, both ends included. */
  read(startTime: number, endTime: number, page: number): Promise<Page<Item>>
  positionOf(item: Item): ListPosition
  /** Equal for an item read twice, different for different items. */
  nameOf(item: Item): string
}

/**
 * Reads a list, oldest first, whose pages begin with the newest items: window by window, all pages of each.
 * Neighbouring windows share one ms. Throws `IncompleteRangeError` if the pages end before the count that
 * they give is reached.
 */
export async function* pageRange<Item>(range: PageRange<Item>): Range<Item> {
  const { from, to, windowMs, positionOf, nameOf } = range
  checkOrder(from, to)
  let seen: ReadonlySet<string> = new Set()
  for (let start = from; ; start += windowMs) {
    const end = Math.min(to, start + windowMs)
    const items = await allPages(range, start, end)
    yield* oldestFirst(unseen(items, nameOf, seen), positionOf)
    if (end === to) return
    seen = new Set(items.map(nameOf))
  }
}

/**
 * Reads pages until one brings nothing new: the page size is up to the exchange, and new items shift the old
 * ones.
 */
async function allPages<Item>(
  { what, read, nameOf }: PageRange<Item>,
  start: number,
  end: number,
): Promise<readonly Item[]> {
  const items: Item[] = []
  const seen = new Set<string>()
  for (let page = 1; ; page++) {
    const { items: found, count = 0 } = await read(start, end, page)
    const fresh = unseen(found, nameOf, seen)
    for (const item of fresh) seen.add(nameOf(item))
    items.push(...fresh)
    if (fresh.length > 0) continue
    if (items.length >= count) return items
    const why = `the exchange counts ${count} of them from ${start} to ${end}, but its pages hold ${items.length}.`
    throw new IncompleteRangeError(what, why)
  }
}

import { UsageError } from '../../domain/sluice-error.ts'
import { type ListPosition, oldestFirst } from '../wire/oldest-first.ts'
import { IncompleteRangeError } from './incomplete-range-error.ts'
import { unseen } from './unseen.ts'
import type { Range } from './until-aborted.ts'

/** A list that is read by time windows. */
export interface TimeRange<Item> {
  /** Name in errors, such as `spot klines`. */
  readonly what: string
  /** First and last ms (UTC) of the range, both included. */
  readonly from: number
  readonly to: number
  /** Most items in one answer. */
  readonly limit: number
  /** Longest window that the exchange accepts, ms. */
  readonly longestMs: number
  /** First window, ms. */
  readonly firstMs: number
  /** A window of at most this length holds no more than `limit` items, ms; default: unknown. */
  readonly wholeMs?: number
  /** The items of a window, both ends included. */
  read(startTime: number, endTime: number): Promise<readonly Item[]>
  positionOf(item: Item): ListPosition
  /** Equal for an item read twice, different for different items. */
  nameOf(item: Item): string
}

/**
 * Reads a list by time windows, oldest first. An answer with `limit` items may be cut off, so its window is
 * read again in halves; after sparse answers windows grow. Neighbouring windows share one ms, so that no item
 * is lost between them whether or not the exchange includes their ends. Throws `IncompleteRangeError` if one
 * ms holds `limit` items.
 */
export async function* timeRange<Item>(range: TimeRange<Item>): Range<Item> {
  const { from, to, limit, longestMs, wholeMs = -1, positionOf, nameOf } = range
  checkOrder(from, to)
  let length = range.firstMs
  let start = from
  let seen: ReadonlySet<string> = new Set()
  for (;;) {
    const end = Math.min(to, start + length)
    const items = await range.read(start, end)
    if (items.length >= limit && end - start > wholeMs) {
      if (end === start) throw crowdedMs(range, start)
      length = Math.floor((end - start) / 2)
      continue
    }
    yield* oldestFirst(unseen(items, nameOf, seen), positionOf)
    if (end === to) return
    seen = new Set(items.map(nameOf))
    // A window of one ms shares no end with the next.
    start = end === start ? end + 1 : end
    if (items.length < limit / 2) length = Math.min(longestMs, Math.max(1, length * 2))
  }
}

/** Throws `UsageError` for a range that ends before it begins. */
export function checkOrder(from: number, to: number): void {
  if (from <= to) return
  throw new UsageError(
    `The range ends at ${to}, before it begins at ${from}; give ms UTC with from at most to.`,
  )
}

function crowdedMs<Item>({ what, limit }: TimeRange<Item>, time: number): IncompleteRangeError {
  return new IncompleteRangeError(
    what,
    `the millisecond ${time} holds ${limit} entries or more, and the exchange gives no more than ${limit} of them. Narrow the query down, or begin after it.`,
  )
}

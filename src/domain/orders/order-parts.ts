import { type Steps, steps } from '../numbers/grid.ts'

/** Into how many parts an order is cut at most; one that is larger is rather a mistake than a wish. */
export const MOST_PARTS = 99

/** The most that one order comes to in all its parts, steps, where one part may have `most`. */
export function mostInParts(most: Steps): number {
  return most * MOST_PARTS
}

const PART_MARK = '.'

/**
 * The sizes in which an order leaves that may have at most `most` steps: as few as possible, and as equal as steps
 * allow, so that none is smaller than about half of the maximum. The same quantity is always cut alike.
 */
export function partSizes(quantity: Steps, most: Steps): readonly Steps[] {
  const count = Math.ceil(quantity / most)
  const small = smallestPart(quantity, most)
  const larger = quantity - small * count
  return Array.from({ length: count }, (_, index) => steps(index < larger ? small + 1 : small))
}

/** The smallest of these sizes, steps. */
export function smallestPart(quantity: Steps, most: Steps): Steps {
  return steps(Math.floor(quantity / Math.ceil(quantity / most)))
}

/** The clientOrderId of the `number`-th part (from 1) of an order: a pure function of both. At most 31 characters. */
export function partId(clientOrderId: string, number: number): string {
  return `${clientOrderId}${PART_MARK}${number}`
}

/** The clientOrderId of the order that a part belongs to; that of any other order is its own. */
export function wholeId(clientOrderId: string): string {
  const mark = clientOrderId.lastIndexOf(PART_MARK)
  return mark < 0 ? clientOrderId : clientOrderId.slice(0, mark)
}

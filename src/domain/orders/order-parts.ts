import { type Steps, steps } from '../numbers/grid.ts'

/** Most parts of one order; a larger order is more likely a mistake. */
export const MOST_PARTS = 99

/** Largest quantity of one order in all its parts, steps; one part has at most `most`. */
export function mostInParts(most: Steps): number {
  return most * MOST_PARTS
}

const PART_MARK = '.'

/**
 * Part sizes of an order whose parts have at most `most` steps: as few as possible, and as equal as steps
 * allow, so that none is smaller than about half of the maximum. Deterministic for a quantity.
 */
export function partSizes(quantity: Steps, most: Steps): readonly Steps[] {
  const count = Math.ceil(quantity / most)
  const small = smallestPart(quantity, most)
  const larger = quantity - small * count
  return Array.from({ length: count }, (_, index) => steps(index < larger ? small + 1 : small))
}

/** The smallest part size, steps. */
export function smallestPart(quantity: Steps, most: Steps): Steps {
  return steps(Math.floor(quantity / Math.ceil(quantity / most)))
}

/**
 * clientOrderId of the `number`-th part (from 1) of an order: a pure function of both. At most 31 characters.
 */
export function partId(clientOrderId: string, number: number): string {
  return `${clientOrderId}${PART_MARK}${number}`
}

/** clientOrderId of the order that a part belongs to; any other order's own id. */
export function wholeId(clientOrderId: string): string {
  const mark = clientOrderId.lastIndexOf(PART_MARK)
  return mark < 0 ? clientOrderId : clientOrderId.slice(0, mark)
}

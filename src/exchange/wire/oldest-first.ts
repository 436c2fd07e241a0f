/** Sort key of a list. */
export interface ListPosition {
  /** ms UTC. */
  readonly time: number
  /** Tie-breaker for equal times: ids increase. */
  readonly id: string
}

/** The list, oldest first; the exchange sends newest first (interface section 1.4). */
export function oldestFirst<Item>(
  items: readonly Item[],
  positionOf: (item: Item) => ListPosition,
): readonly Item[] {
  return items.toSorted((left, right) => compare(positionOf(left), positionOf(right)))
}

function compare(left: ListPosition, right: ListPosition): number {
  if (left.time !== right.time) return left.time - right.time
  // Ids are digits beyond 2^53: the longer one is larger, equal lengths compare as text.
  if (left.id.length !== right.id.length) return left.id.length - right.id.length
  if (left.id === right.id) return 0
  return left.id < right.id ? -1 : 1
}

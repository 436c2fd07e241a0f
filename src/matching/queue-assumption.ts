/**
 * Assumed place of a resting order among the quantity shown at its price: before all of it (`front`, the best
 * case), behind what was shown when it arrived (`shown`), or behind everything that is ever shown (`back`, the
 * worst case).
 */
export const QUEUE_ASSUMPTIONS = ['front', 'shown', 'back'] as const

/** One of them. */
export type QueueAssumption = (typeof QUEUE_ASSUMPTIONS)[number]

import type { Endpoint } from '../endpoints/endpoint.ts'

/** Priority lanes, most urgent first: calls of an earlier lane are sent before those of a later one. */
export const LANES = ['cancel', 'reconciliation', 'order', 'account', 'market'] as const

/** Urgency of a call. */
export type Lane = (typeof LANES)[number]

/**
 * Fraction of a shared budget that a lane may use up; the rest stays free for more urgent lanes. Of 12,000
 * weight a minute, market data leave 1200 free, enough for 240 cancels, and only cancels may use the last
 * 120.
 */
const SHARES: Readonly<Record<Lane, number>> = {
  cancel: 1,
  reconciliation: 0.99,
  order: 0.97,
  account: 0.94,
  market: 0.9,
}

/** Part of a limit that the lane may use up. */
export function allowanceOf(lane: Lane, limit: number): number {
  return limit * SHARES[lane]
}

/**
 * Default lane of an endpoint. Order queries have a high priority, because they tell a bot the state of its
 * orders.
 */
export function laneOf({ effect, security, path }: Endpoint): Lane {
  if (effect === 'write') return /cancel/i.test(path) ? 'cancel' : 'order'
  if (security === 'NONE') return 'market'
  return /\/(order|openOrders)$/.test(path) ? 'reconciliation' : 'account'
}

import type { Endpoint } from '../endpoints/endpoint.ts'

/** Who goes first, from the most urgent: what waits in an earlier lane leaves before all that waits in a later one. */
export const LANES = ['cancel', 'reconciliation', 'order', 'account', 'market'] as const

/** How urgent a call is. */
export type Lane = (typeof LANES)[number]

/**
 * The part of a shared budget that a lane may use up, a fraction; what is above it stays free for more urgent lanes.
 * Of 12,000 weight a minute, market data leave 1200 alone, enough for 240 cancels, and nobody else touches the last 120.
 */
const SHARES: Readonly<Record<Lane, number>> = {
  cancel: 1,
  reconciliation: 0.99,
  order: 0.97,
  account: 0.94,
  market: 0.9,
}

/** How much of a limit a lane may use up. */
export function allowanceOf(lane: Lane, limit: number): number {
  return limit * SHARES[lane]
}

/** The lane of an endpoint where its caller asks for no other: order queries are how a bot learns what became of an order. */
export function laneOf({ effect, security, path }: Endpoint): Lane {
  if (effect === 'write') return /cancel/i.test(path) ? 'cancel' : 'order'
  if (security === 'NONE') return 'market'
  return /\/(order|openOrders)$/.test(path) ? 'reconciliation' : 'account'
}

import type { OrderRequest } from '../../src/domain/orders/order-request.ts'
import type { MatchingTerms } from '../../src/matching/working-order.ts'

/** An order in the terms of the market. */
export function termsOf({ side, spec, purpose }: OrderRequest): MatchingTerms {
  const limit = spec.type === 'limit' || spec.type === 'stopLimit' ? spec.price : undefined
  if (limit === undefined || purpose === 'takeProfit') return { side, kind: 'immediate', limit }
  const kind = spec.type === 'limit' ? spec.kind : undefined
  return { side, kind: kind === undefined ? 'limit' : KINDS[kind], limit }
}

const KINDS = { ioc: 'immediate', fok: 'fillOrKill', postOnly: 'postOnly' } as const

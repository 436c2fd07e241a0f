import type { Denial } from '../domain/orders/denial.ts'
import type { OrderDraft } from '../domain/orders/order-request.ts'
import type { RiskView } from './risk-view.ts'

/** Why a check says no: the rule, its limit, what was asked for, and a sentence. */
export type Refusal = Omit<Denial, 'intent'>

/** Fields of an order that decide how much of an account it takes. */
export type SizedDraft = Pick<OrderDraft, 'side' | 'spec' | 'quantity' | 'reduceOnly' | 'referencePrice'>

/** A rule of what an account can pay for, borrow or back. */
export type AccountCheck = (draft: SizedDraft, view: RiskView) => Refusal | undefined

/** One rule: `undefined` lets the order pass. A check that throws denies. */
export type RiskCheck = (draft: OrderDraft, view: RiskView) => Refusal | undefined

import type { Denial, PassedCheck } from '../domain/orders/denial.ts'
import type { OrderDraft } from '../domain/orders/order-request.ts'
import type { RiskView } from './risk-view.ts'

/** Refusal of a check: the rule, its limit, the requested value, and a sentence. */
export type Refusal = Omit<Denial, 'intent'>

/** Receives the figures of a check that lets an order pass; a rule that does not apply to the order has none. */
export type OnPassed = (passed: PassedCheck) => void

/** Fields of an order that decide how much of an account it takes. */
export type SizedDraft = Pick<
  OrderDraft,
  'side' | 'spec' | 'quantity' | 'reduceOnly' | 'referencePrice' | 'protection'
>

/** A rule about the funds, credit or margin of an account. */
export type AccountCheck = (draft: SizedDraft, view: RiskView, passed?: OnPassed) => Refusal | undefined

/** One rule: `undefined` lets the order pass. A check that throws denies. */
export type RiskCheck = (draft: OrderDraft, view: RiskView, passed?: OnPassed) => Refusal | undefined

import type { Denial, DenialRule } from '../../src/domain/orders/denial.ts'
import type { OrderIntent } from '../../src/domain/orders/order-intent.ts'

/** Number of denials by one rule, and the reason of the first, with what it was about. */
export interface DenialCount {
  readonly count: number
  readonly first: string
  readonly intent: Pick<OrderIntent, 'symbol' | 'side' | 'reduceOnly'>
}

/** Denials by rule, in order of their first appearance. */
export type DenialCounts = ReadonlyMap<DenialRule, DenialCount>

/** Denials stored in full: a strategy without money may be denied on every kline. */
const MOST_KEPT = 1000

/** Denials by risk: the first ones in full, and the number by each rule. */
export class DenialTally {
  readonly first: Denial[] = []
  readonly #counts = new Map<DenialRule, DenialCount>()

  get counts(): DenialCounts {
    return this.#counts
  }

  push(denial: Denial): void {
    if (this.first.length < MOST_KEPT) this.first.push(denial)
    const { rule, message, intent } = denial
    const { count, ...first } = this.#counts.get(rule) ?? { count: 0, first: message, intent }
    this.#counts.set(rule, { count: count + 1, ...first })
  }
}

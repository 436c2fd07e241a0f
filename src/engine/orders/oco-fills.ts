import type { OrderRequest } from '../../domain/orders/order-request.ts'

/** Number of groups stored for late fills; ample. */
const REMEMBERED = 100

/** First filled entry of each group (OCO), to detect a second fill. */
export class OcoFills {
  readonly #firsts = new Map<string, string>()

  /** The first fills as plain data. */
  snapshot(): readonly (readonly [group: string, clientOrderId: string])[] {
    return [...this.#firsts]
  }

  restore(firsts: readonly (readonly [group: string, clientOrderId: string])[]): void {
    for (const [group, first] of firsts) this.#firsts.set(group, first)
  }

  /**
   * Notes a fill of an entry of a group; returns the clientOrderId of another entry of it that filled before,
   * if any.
   */
  note({ clientOrderId, terms }: OrderRequest): string | undefined {
    if (terms?.oco === undefined) return undefined
    const first = this.#firsts.get(terms.oco)
    if (first !== undefined) return first === clientOrderId ? undefined : first
    this.#firsts.set(terms.oco, clientOrderId)
    for (const oldest of this.#firsts.keys()) {
      if (this.#firsts.size <= REMEMBERED) break
      this.#firsts.delete(oldest)
    }
    return undefined
  }
}

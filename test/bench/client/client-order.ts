import type { BenchRow } from '../bench-row.ts'
import { inOwnProcess } from '../own-process.ts'

/** What the client adds to an order: building, checking, budgets, signing, parsing; the exchange answers at once. */
export function clientOrder(): BenchRow {
  return {
    name: 'client: a signed order without the exchange (bare: stringify, HMAC, parse)',
    unit: 'orders/s',
    run: () => inOwnProcess(import.meta.resolve('./client-order-speed.ts')),
  }
}

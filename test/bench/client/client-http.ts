import type { BenchRow } from '../bench-row.ts'
import { inOwnProcess } from '../own-process.ts'

/** Signed test orders sent to the simulated exchange in another process, by the client and by undici alone. */
export function clientHttp(): BenchRow {
  return {
    name: 'client: signed calls over HTTP, 16 at a time (bare: undici)',
    unit: 'requests/s',
    run: () => inOwnProcess(import.meta.resolve('./client-http-rate.ts')),
  }
}

import type { BenchRow } from '../bench-row.ts'
import { inOwnProcess } from '../own-process.ts'

/** From the text of a depth with 100 levels a side to exact prices and quantities. */
export function depthParsing(): BenchRow {
  return {
    name: 'client: a depth of 100 levels a side (bare: JSON.parse)',
    unit: 'depths/s',
    run: () => inOwnProcess(import.meta.resolve('./depth-parsing-speed.ts')),
  }
}

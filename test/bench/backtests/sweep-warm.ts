import type { BenchRow, Measured } from '../bench-row.ts'
import { inOwnProcess } from '../own-process.ts'

const PAIRS = 1000

/** Output of `sweep-run.ts`. */
interface Sweep {
  readonly speed: Measured
  readonly memory: Measured
}

/**
 * Trials of a search in one process: rows × parameter sets per second of CPU time, with all figures and the daily returns of
 * each; and the most memory of that process, of which the bare part is the columns of the klines.
 */
export function sweepWarm(): readonly BenchRow[] {
  let sweep: Promise<Sweep> | undefined
  const measured = () => {
    sweep ??= inOwnProcess<Sweep>(import.meta.resolve('./sweep-run.ts'), `${PAIRS}`)
    return sweep
  }
  const name = `sweep sma-cross, ${PAIRS} pairs of averages, warm`
  return [
    { name, unit: 'row-combinations/s', run: async () => (await measured()).speed },
    {
      name: `${name}: most memory (bare: the columns)`,
      unit: 'kB',
      run: async () => (await measured()).memory,
    },
  ]
}

import { statSync } from 'node:fs'
import { getHeapSpaceStatistics } from 'node:v8'

/** What a process holds. */
export interface Weight {
  /** Everything in the heap. */
  readonly heapMegabytes: number
  /** Of it, objects and texts: what is compiled comes and goes with what runs often. */
  readonly dataMegabytes: number
  /** Memory of the process, as the system counts it. */
  readonly rssMegabytes: number
}

/** Weighs this process after everything that nobody holds is collected; needs --expose-gc. */
export function weigh(): Weight {
  collect()
  const { heapUsed, rss } = process.memoryUsage()
  const data = getHeapSpaceStatistics()
    .filter(({ space_name: name }) => !/code|trusted|read_only/.test(name))
    .reduce((sum, { space_used_size: used }) => sum + used, 0)
  return {
    heapMegabytes: heapUsed / 2 ** 20,
    dataMegabytes: data / 2 ** 20,
    rssMegabytes: rss / 2 ** 20,
  }
}

/** Collects what a process would that has no memory left, so that nothing lingers by chance; needs --expose-gc. */
export function collect(): void {
  if (globalThis.gc === undefined) throw new Error('Memory can only be weighed with --expose-gc.')
  globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** Size of a journal with what SQLite has beside it. */
export function journalMegabytes(path: string): number {
  const bytes = [path, `${path}-wal`].map(file => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
  return bytes.reduce((sum, size) => sum + size, 0) / 2 ** 20
}

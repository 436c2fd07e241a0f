import type { BenchRow, Measured } from '../bench-row.ts'
import { inOwnProcess } from '../own-process.ts'

/** What `journal-writes-run.ts` gives. */
type Rates = Readonly<Record<'entries' | 'departures', Measured>>

/** How fast a journal takes what a bot writes, beside bare SQLite inserts of the same texts, on the disk as often. */
export function journalWrites(): readonly BenchRow[] {
  let rates: Promise<Rates> | undefined
  const run = (what: keyof Rates) => async () => {
    rates ??= inOwnProcess<Rates>(import.meta.resolve('./journal-writes-run.ts'))
    return (await rates)[what]
  }
  return [
    {
      name: 'journal: entries, 256 to a commit (bare: SQLite)',
      unit: 'entries/s',
      run: run('entries'),
    },
    {
      name: 'journal: orders about to leave, each on the disk with what led to it (bare: SQLite)',
      unit: 'commits/s',
      run: run('departures'),
    },
  ]
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BotState } from '../../../src/bot/state/bot-state.ts'
import { restoreState } from '../../../src/bot/state/restore-state.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { median } from '../median.ts'
import { JournalLoad, loadFlipper } from './journal-load.ts'

/** Defaults of the configuration of a journal. */
const [SNAPSHOT_ENTRIES, KEEP_ENTRIES] = [10_000, 1_000_000]
const ROUNDS = 3

/** What a restart from a journal took. */
export interface RestartSample {
  readonly what: string
  readonly rows: number
  /** Entries that had to be run again. */
  readonly runAgain: number
  readonly seconds: number
}

/** Writes a journal of so many rows, and opens and restores it: as configured by default, not long before the next state would be kept, and without any kept state. */
export async function* journalRestarts(rows: number): AsyncGenerator<RestartSample> {
  yield await restart('with the state kept by default', rows + SNAPSHOT_ENTRIES - 1000, SNAPSHOT_ENTRIES)
  yield await restart('without a kept state', rows, Number.POSITIVE_INFINITY)
}

async function restart(what: string, rows: number, snapshotEntries: number): Promise<RestartSample> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const path = join(folder, 'bot.journal')
  try {
    const journal = new Journal(path, { keepEntries: KEEP_ENTRIES })
    const load = await JournalLoad.begin(journal, snapshotEntries)
    while (journal.seq < rows) load.step()
    const written = journal.seq
    journal.close()
    const samples = []
    for (let round = 0; round < ROUNDS; round++) samples.push(await restored(path))
    const [{ runAgain } = { runAgain: 0 }] = samples
    return { what, rows: written, runAgain, seconds: median(samples.map(({ seconds }) => seconds)) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Opens a journal to write on, which checks it, and goes on from it, as a start does. */
async function restored(path: string): Promise<{ readonly runAgain: number; readonly seconds: number }> {
  const startedAt = performance.now()
  const journal = new Journal(path, { keepEntries: KEEP_ENTRIES })
  const found = await restoreState(path, new BotState(loadFlipper))
  const seconds = (performance.now() - startedAt) / 1000
  journal.close()
  return { runAgain: found?.entries ?? 0, seconds }
}

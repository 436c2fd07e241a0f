import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Journal, type JournalWriter, type NewEntry } from '../../../src/journal/journal.ts'
import { journalText } from '../../../src/journal/journal-text.ts'
import { inTurns } from '../client/in-turns.ts'
import { JournalLoad } from './journal-load.ts'

const [ENTRIES, ROUNDS] = [5000, 5]
const COMMITS = 60

/** What a bot would write. */
async function someEntries(): Promise<readonly NewEntry[]> {
  const entries: NewEntry[] = []
  const writer: JournalWriter = {
    path: '',
    seq: 0,
    append: entry => entries.push(entry),
    commit: () => {},
    snapshot: () => {},
  }
  const load = await JournalLoad.begin(writer, Number.POSITIVE_INFINITY)
  while (entries.length < ENTRIES) load.step()
  return entries
}

/** Inserts rows of the same width with no chain and no text to make. */
function bareWriter(path: string) {
  const database = new DatabaseSync(path)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE entries (seq INTEGER PRIMARY KEY, time INTEGER, kind TEXT, body TEXT, decisions TEXT, previous TEXT, hash TEXT)`)
  const insert = database.prepare(
    'INSERT INTO entries (time, kind, body, decisions, previous, hash) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const hash = '0'.repeat(32)
  let isOpen = false
  return {
    append: ({ time, kind, body, decisions }: BareEntry) => {
      if (!isOpen) database.exec('BEGIN IMMEDIATE')
      isOpen = true
      insert.run(time, kind, body, decisions, hash, hash)
    },
    commit: () => {
      database.exec('COMMIT')
      isOpen = false
    },
    close: () => database.close(),
  }
}

interface BareEntry {
  readonly time: number
  readonly kind: string
  readonly body: string
  readonly decisions: string | null
}

function rate<Entry>(
  entries: readonly Entry[],
  perCommit: number,
  writer: { append(entry: Entry): unknown; commit(): void },
): number {
  const startedAt = performance.now()
  entries.forEach((entry, index) => {
    writer.append(entry)
    if ((index + 1) % perCommit === 0 || index === entries.length - 1) writer.commit()
  })
  return entries.length / ((performance.now() - startedAt) / 1000)
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
const journal = new Journal(join(folder, 'bot.journal'))
const bare = bareWriter(join(folder, 'bare.db'))
try {
  const entries = await someEntries()
  const texts = entries.map(({ time, kind, body, decisions }) => ({
    time,
    kind,
    body: journalText(body),
    decisions: decisions === undefined ? null : journalText(decisions),
  }))
  const measure = (count: number, perCommit: number) => async (who: 'sluice' | 'bare') =>
    who === 'sluice'
      ? rate(entries.slice(0, count), perCommit, journal)
      : rate(texts.slice(0, count), perCommit, bare)
  await measure(ENTRIES, 256)('sluice')
  await measure(ENTRIES, 256)('bare')
  const all = await inTurns(ROUNDS, measure(ENTRIES, 256))
  // A kline with its decision, four words on the order before, and the departure.
  const { value, floor } = await inTurns(ROUNDS, measure(COMMITS * 5, 5))
  console.log(JSON.stringify({ entries: all, departures: { value: value / 5, floor: floor / 5 } }))
} finally {
  journal.close()
  bare.close()
  rmSync(folder, { recursive: true, force: true })
}

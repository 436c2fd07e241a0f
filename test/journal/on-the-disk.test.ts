import { DatabaseSync, StatementSync } from 'node:sqlite'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { BotState } from '../../src/bot/state/bot-state.ts'
import { RecordedEngine } from '../../src/bot/state/recorded-engine.ts'
import { SentRequests } from '../../src/execution/sent-requests.ts'
import { Journal } from '../../src/journal/journal.ts'
import { JournalError } from '../../src/journal/journal-error.ts'
import { openJournalFile } from '../../src/journal/journal-file.ts'
import { journalPath } from './journal-session.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const note = (number: number) => ({ kind: 'note', time: number, body: { number } }) as const

/** Fails the next statement that commits, as a full or broken disk does. */
function breakCommit(): void {
  const run = StatementSync.prototype.run
  vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
    if (this.sourceSQL === 'COMMIT') throw new Error('disk I/O error')
    return run.apply(this, values)
  })
}

/** Has the file take no entry of that number: SQLite then gives up what is not committed, as it may where a disk is full. */
function giveUpAt(path: string, seq: number): void {
  const database = new DatabaseSync(path)
  database.exec(
    `CREATE TRIGGER full BEFORE INSERT ON entries WHEN NEW.seq = ${seq} BEGIN SELECT RAISE(ROLLBACK, 'the disk is full'); END`,
  )
  database.close()
}

describe('the file of a journal', () => {
  it('has every commit wait for the disk', () => {
    const { database } = openJournalFile(journalPath())
    expect({ ...database.prepare('PRAGMA journal_mode').get() }).toEqual({ journal_mode: 'wal' })
    // 2 is FULL: SQLite syncs the log after every transaction.
    expect({ ...database.prepare('PRAGMA synchronous').get() }).toEqual({ synchronous: 2 })
    database.close()
  })
})

describe('a kept state', () => {
  it('is committed at once, also where no new entry came before it', () => {
    const path = journalPath()
    const journal = new Journal(path)
    journal.append(note(1))
    journal.commit()
    journal.snapshot(2, {})
    const other = new DatabaseSync(path, { readOnly: true })
    expect({ ...other.prepare('SELECT seq FROM snapshots').get() }).toEqual({ seq: 1 })
    other.close()
    journal.close()
  })
})

describe('a journal after a write that failed', () => {
  it('writes nothing more when the disk failed, not even where it works again', () => {
    const path = journalPath()
    const journal = new Journal(path)
    journal.append(note(1))
    journal.commit()
    breakCommit()
    journal.append(note(2))
    expect(() => journal.commit()).toThrow(/disk I\/O error/)
    vi.restoreAllMocks()
    expect(() => journal.commit()).toThrow(JournalError)
    expect(() => journal.append(note(3))).toThrow(JournalError)
    expect(() => journal.snapshot(4, {})).toThrow(JournalError)
    journal.close()
  })

  it('commits nothing of what was noted before it, and lets another process have the file', () => {
    const path = journalPath()
    const journal = new Journal(path)
    journal.append(note(1))
    journal.commit()
    giveUpAt(path, 3)
    journal.append(note(2))
    expect(() => journal.append(note(3))).toThrow(/the disk is full/)
    expect(() => journal.commit()).toThrow(/the disk is full/)
    journal.close()
    const again = new Journal(path)
    expect(again.seq).toBe(1)
    again.close()
  })

  it('keeps back every request that shares the commit', () => {
    const journal = new Journal(journalPath())
    const recorded = new RecordedEngine({
      // All of the state that departures need.
      state: { sentRequests: new SentRequests() } as unknown as BotState,
      journal,
      snapshotEntries: 1000,
      keptAt: 0,
      serverNow: () => 1,
      onNoSnapshot: () => undefined,
    })
    const commits = ['a', 'b', 'c'].map(clientOrderId => {
      const dispatch = {
        action: 'place',
        clientOrderId,
        symbol: 'BTC/USDT',
        timestamp: 1,
        recvWindowMs: 5000,
      } as const
      return recorded.recordSend(dispatch)
    })
    breakCommit()
    for (const commit of commits) expect(commit).toThrow(/disk I\/O error/)
    journal.close()
  })
})

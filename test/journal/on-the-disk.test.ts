import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { BotState } from '../../src/bot/bot-state.ts'
import { RecordedEngine } from '../../src/bot/recorded-engine.ts'
import { Dispatches } from '../../src/execution/dispatches.ts'
import { Journal } from '../../src/journal/journal.ts'
import { JournalError } from '../../src/journal/journal-error.ts'
import { journalPath } from './journal-session.ts'

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

const note = (number: number) => ({ kind: 'note', time: number, body: { number } }) as const

/** Has every wait for the disk do this instead. */
function onSync(wait: (file: number) => void): void {
  vi.spyOn(fs, 'fdatasyncSync').mockImplementation(wait)
  syncBuiltinESMExports()
}

/** The number of entries that another connection sees. */
function visibleIn(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return Number(database.prepare('SELECT count(*) AS entries FROM entries').get()?.entries)
  } finally {
    database.close()
  }
}

/** Has the file take no entry of that number: SQLite then gives up what is not committed, as it may where a disk is full. */
function giveUpAt(path: string, seq: number): void {
  const database = new DatabaseSync(path)
  database.exec(
    `CREATE TRIGGER full BEFORE INSERT ON entries WHEN NEW.seq = ${seq} BEGIN SELECT RAISE(ROLLBACK, 'the disk is full'); END`,
  )
  database.close()
}

/** The head of the log changes only when that is begun anew. */
function logHead(path: string): string {
  return fs.readFileSync(`${path}-wal`).subarray(0, 32).toString('hex')
}

describe('a commit of a journal', () => {
  it('waits for the disk once, after everything was written', () => {
    const path = journalPath()
    const journal = new Journal(path)
    journal.append(note(1))
    journal.commit()
    const seen: number[] = []
    onSync(() => seen.push(visibleIn(path)))
    journal.append(note(2))
    journal.append(note(3))
    expect(seen).toEqual([])
    journal.commit()
    expect(seen).toEqual([3])
    journal.commit()
    expect(seen).toEqual([3])
    journal.close()
  })

  it('waits for the disk for a state that no new entry came before', () => {
    const path = journalPath()
    const journal = new Journal(path)
    journal.append(note(1))
    journal.commit()
    let waits = 0
    onSync(() => waits++)
    journal.snapshot(2, {})
    expect(waits).toBe(1)
    journal.close()
  })

  it('is a part of tidying', () => {
    const path = journalPath()
    const journal = new Journal(path)
    journal.append(note(1))
    journal.tidy()
    expect(visibleIn(path)).toBe(1)
    journal.close()
  })

  it('has the name of the log on the disk too when that is new', () => {
    const synced = vi.spyOn(fs, 'fsyncSync')
    syncBuiltinESMExports()
    const journal = new Journal(journalPath())
    journal.append(note(1))
    journal.commit()
    // The log and its folder.
    expect(synced).toHaveBeenCalledTimes(process.platform === 'win32' ? 1 : 2)
    journal.close()
  })

  it('does not begin the log anew right after it was written back', () => {
    const path = journalPath()
    const journal = new Journal(path)
    for (let number = 1; number <= 300; number++) {
      journal.append(note(number))
      journal.commit()
    }
    const before = logHead(path)
    journal.tidy()
    const after = logHead(path)
    expect(after).not.toBe(before)
    journal.append(note(301))
    journal.commit()
    expect(logHead(path)).toBe(after)
    journal.close()
  })
})

describe('the log of a journal', () => {
  /** Waits for the disk, by any file, since this was called. */
  function counted(): () => number {
    const synced = vi.spyOn(fs, 'fsyncSync')
    syncBuiltinESMExports()
    return () => synced.mock.calls.length
  }

  it('waits for nothing in a calm moment before the first commit', () => {
    const journal = new Journal(journalPath())
    const waits = counted()
    journal.tidy()
    expect(waits()).toBe(0)
    journal.close()
  })

  it('is made long once, and its length is on the disk then', () => {
    const path = journalPath()
    const journal = new Journal(path)
    journal.append(note(1))
    journal.commit()
    const waits = counted()
    journal.tidy()
    expect(waits()).toBe(1)
    expect(fs.statSync(`${path}-wal`).size).toBe(2 * 1024 * 1024)
    journal.tidy()
    journal.tidy()
    expect(waits()).toBe(1)
    journal.close()
  })

  it('stays as it is where the first commit made it longer than that', () => {
    const path = journalPath()
    const journal = new Journal(path)
    journal.append({ kind: 'note', time: 1, body: 'x'.repeat(3 * 1024 * 1024) })
    journal.commit()
    const { size } = fs.statSync(`${path}-wal`)
    expect(size).toBeGreaterThan(3 * 1024 * 1024)
    journal.tidy()
    expect(fs.statSync(`${path}-wal`).size).toBe(size)
    journal.append(note(2))
    journal.commit()
    expect(visibleIn(path)).toBe(2)
    journal.close()
  })

  it('is not written back for a few small commits', () => {
    const path = journalPath()
    const journal = new Journal(path)
    for (let number = 1; number <= 20; number++) {
      journal.append(note(number))
      journal.commit()
      journal.tidy()
    }
    const head = logHead(path)
    for (let number = 21; number <= 40; number++) {
      journal.append(note(number))
      journal.commit()
      journal.tidy()
    }
    expect(logHead(path)).toBe(head)
    journal.close()
  })

  it('is written back in time where commits are large, in their bodies or in their decisions', () => {
    const text = 'x'.repeat(100_000)
    for (const entry of [
      { kind: 'event', time: 1, body: text, decisions: [] },
      { kind: 'event', time: 1, body: {}, decisions: [text] },
    ] as const) {
      const path = journalPath()
      const journal = new Journal(path)
      for (let number = 1; number <= 60; number++) {
        journal.append(entry)
        journal.commit()
        journal.tidy()
      }
      expect(fs.statSync(`${path}-wal`).size).toBe(2 * 1024 * 1024)
      journal.close()
    }
  })

  it('counts every entry of a commit, and none twice', () => {
    const path = journalPath()
    const journal = new Journal(path)
    // 1 MB in all, which is due; in one commit.
    for (let number = 1; number <= 12; number++)
      journal.append({ kind: 'note', time: 1, body: 'x'.repeat(90_000) })
    journal.commit()
    const before = fs.statSync(path).size
    journal.tidy()
    expect(fs.statSync(path).size).toBeGreaterThan(before + 1_000_000)
    // What was written back counts no more.
    const head = logHead(path)
    journal.append(note(13))
    journal.commit()
    journal.tidy()
    journal.append(note(14))
    journal.commit()
    journal.tidy()
    expect(logHead(path)).toBe(head)
    journal.close()
  })
})

describe('a journal after a write that failed', () => {
  it('writes nothing more when the disk failed, not even where it works again', () => {
    const path = journalPath()
    const journal = new Journal(path)
    journal.append(note(1))
    journal.commit()
    onSync(() => {
      throw new Error('EIO: i/o error, fdatasync')
    })
    journal.append(note(2))
    expect(() => journal.commit()).toThrow(/EIO: i\/o error/)
    onSync(() => undefined)
    expect(() => journal.commit()).toThrow(JournalError)
    expect(() => journal.append(note(3))).toThrow(JournalError)
    expect(() => journal.tidy()).toThrow(JournalError)
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

  it('keeps back every request that shares the commit', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    giveUpAt(path, 2)
    const recorded = new RecordedEngine({
      // All of the state that departures need.
      state: { dispatches: new Dispatches() } as unknown as BotState,
      journal,
      snapshotEntries: 1000,
      keptAt: 0,
      serverNow: () => 1,
      onNoSnapshot: () => undefined,
    })
    const left: string[] = []
    const leave = async (clientOrderId: string) => {
      await recorded.leave({
        action: 'place',
        clientOrderId,
        symbol: 'BTC/USDT',
        timestamp: 1,
        recvWindowMs: 5000,
      })
      left.push(clientOrderId)
    }
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(leave))
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(left).toEqual([])
    journal.close()
  })
})

import { copyFileSync, existsSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { Journal, type NewEntry } from '../../src/journal/journal.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { journalPath } from './journal-session.ts'

const TIME = Date.UTC(2025, 0, 1)

function event(number: number): NewEntry {
  return {
    kind: 'event',
    time: TIME + number,
    body: { type: 'filled', symbol: 'BTC/USDT', fee: BigInt(number) },
    decisions: [{ type: 'cancelOrder', clientOrderId: `order-${number}` }],
  }
}

/** A journal of `count` events, closed; with a snapshot after `snapshotAfter` of them. */
function written(count: number, snapshotAfter?: number): string {
  const path = journalPath()
  const journal = new Journal(path)
  for (let number = 1; number <= count; number++) {
    journal.append(event(number))
    if (number === snapshotAfter) journal.snapshot(TIME, { orders: new Map([['a', 1n]]) })
  }
  journal.close()
  return path
}

function change(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

describe('a journal', () => {
  it('gives back what was appended, in order', () => {
    const reader = new JournalReader(written(3))
    expect([...reader.entries()]).toEqual([1, 2, 3].map(number => ({ seq: number, ...event(number) })))
    reader.close()
  })

  it('goes on counting where an earlier process stopped', () => {
    const path = written(3)
    const journal = new Journal(path)
    expect(journal.append(event(4))).toBe(4)
    journal.close()
    const reader = new JournalReader(path)
    expect(reader.verify()).toMatchObject({ holds: true, entries: 4 })
    reader.close()
  })

  it('makes no file where it is not kept, and several may have its name', () => {
    const path = journalPath()
    const journals = [2, 20].map(keepEntries => new Journal(path, { keepEntries, isKept: false }))
    for (const journal of journals)
      for (let number = 1; number <= 10; number++) {
        expect(journal.append(event(number))).toBe(number)
        journal.tidy()
        journal.snapshot(TIME, {})
      }
    for (const beside of ['', '.lock', '-wal']) expect(existsSync(`${path}${beside}`)).toBe(false)
    for (const journal of journals) journal.close()
  })

  it('is as long in its log, once tidied, as it gets, and keeps all that is committed when its process ends there', () => {
    const path = journalPath()
    const journal = new Journal(path)
    const lengths = new Set<number>()
    for (let number = 1; number <= 400; number++) {
      journal.append(event(number))
      journal.commit()
      if (number % 20 !== 0) continue
      journal.tidy()
      lengths.add(statSync(`${path}-wal`).size)
    }
    expect([...lengths]).toEqual([2 * 1024 * 1024])
    const found = journalPath()
    for (const suffix of ['', '-wal']) copyFileSync(`${path}${suffix}`, `${found}${suffix}`)
    journal.close()
    const again = new Journal(found)
    expect(again.seq).toBe(400)
    again.close()
    const reader = new JournalReader(found)
    expect(reader.verify()).toMatchObject({ holds: true, entries: 400 })
    reader.close()
  })

  it('has nothing left to write back in a commit after it was tidied', () => {
    const path = journalPath()
    const journal = new Journal(path)
    for (let number = 1; number <= 400; number++) {
      journal.append(event(number))
      journal.commit()
    }
    const before = statSync(path).size
    journal.tidy()
    expect(statSync(path).size).toBeGreaterThan(before)
    journal.close()
  })

  it('shows a reader what is committed, and nothing else', () => {
    const path = journalPath()
    const journal = new Journal(path)
    journal.append(event(1))
    journal.commit()
    journal.append(event(2))
    const reader = new JournalReader(path)
    expect([...reader.entries()]).toHaveLength(1)
    reader.close()
    journal.close()
  })

  it('keeps the latest state, and reads entries after it', () => {
    const reader = new JournalReader(written(5, 3))
    const snapshot = reader.snapshot()
    expect(snapshot).toEqual({ seq: 3, time: TIME, state: { orders: new Map([['a', 1n]]) } })
    expect([...reader.entries({ after: 3 })].map(({ seq }) => seq)).toEqual([4, 5])
    reader.close()
  })

  it('can be read with plain SQL', () => {
    const database = new DatabaseSync(written(2), { readOnly: true })
    const rows = database.prepare('SELECT seq, at, type, symbol FROM events').all()
    database.close()
    expect(rows.map(row => ({ ...row }))).toEqual([
      { seq: 1, at: '2025-01-01 00:00:00', type: 'filled', symbol: 'BTC/USDT' },
      { seq: 2, at: '2025-01-01 00:00:00', type: 'filled', symbol: 'BTC/USDT' },
    ])
  })

  it('belongs to one process at a time', () => {
    const path = journalPath()
    const journal = new Journal(path)
    expect(() => new Journal(path)).toThrow(/Another bot works with the journal/)
    journal.close()
    new Journal(path).close()
  })
})

describe('a damaged journal', () => {
  const damages = [
    { what: 'a changed body', sql: `UPDATE entries SET body = '{}' WHERE seq = 3`, trusted: 2 },
    { what: 'a changed decision', sql: 'UPDATE entries SET decisions = NULL WHERE seq = 3', trusted: 2 },
    { what: 'a changed time', sql: 'UPDATE entries SET time = time + 1 WHERE seq = 3', trusted: 2 },
    { what: 'a missing entry', sql: 'DELETE FROM entries WHERE seq = 3', trusted: 2 },
    {
      what: 'two entries in the wrong order',
      sql: `UPDATE entries SET seq = -3 WHERE seq = 3; UPDATE entries SET seq = 3 WHERE seq = 4;
            UPDATE entries SET seq = 4 WHERE seq = -3`,
      trusted: 2,
    },
    {
      what: 'a changed entry with a hash made to fit',
      sql: `UPDATE entries SET hash = '${'a'.repeat(32)}' WHERE seq = 3`,
      trusted: 2,
    },
  ]

  it.each(damages)('with $what is refused, and says what can be trusted', ({ sql, trusted }) => {
    const path = written(5)
    change(path, sql)
    expect(() => new Journal(path)).toThrow(new RegExp(`Entries up to ${trusted} can be trusted`))
  })

  it('with a changed state is refused', () => {
    const path = written(5, 3)
    change(path, `UPDATE snapshots SET state = '{}'`)
    expect(() => new Journal(path)).toThrow(/the state kept at entry 3 is not what was written/)
  })

  it('is found by a whole check also before the latest state', () => {
    const path = written(5, 4)
    change(path, `UPDATE entries SET body = '{}' WHERE seq = 2`)
    const reader = new JournalReader(path)
    expect(reader.verify()).toEqual({
      holds: false,
      trusted: 1,
      problem: 'entry 2 is not what was written',
    })
    reader.close()
  })

  it('that was cut off is refused or reads up to the cut', () => {
    const path = written(400)
    truncateSync(path, 40_000)
    expect(() => new Journal(path)).toThrow(/damaged|cannot be read/)
  })

  it('is no journal: any other file', () => {
    const path = journalPath()
    writeFileSync(path, 'not a database, and longer than a header of one hundred bytes '.repeat(20))
    expect(() => new Journal(path)).toThrow(/cannot be read or written/)
  })

  it('is no journal: any other database', () => {
    const path = journalPath()
    change(path, 'CREATE TABLE other (a)')
    expect(() => new Journal(path)).toThrow(/no journal of Sluice/)
  })

  it('of another version is refused by name', () => {
    const path = written(1)
    change(path, `UPDATE meta SET value = '99' WHERE key = 'schemaVersion'`)
    expect(() => new Journal(path)).toThrow(/has version 99, but this Sluice reads version 2/)
  })
})

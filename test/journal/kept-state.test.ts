import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { Journal } from '../../src/journal/journal.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { journalPath } from './journal-session.ts'

/** Appends an entry, and after every tenth a snapshot with a kline of its number. */
function appendTo(journal: Journal, number: number): void {
  journal.append({ kind: 'note', time: number, body: { number } })
  if (number % 10 !== 0) return
  const values = Float64Array.of(number, 1.5, 2, 0.1 + 0.2, Number.NaN, -0)
  journal.snapshot(number, { at: number }, [{ series: 'BTC/USDT 1m', values }])
}

/** A journal of so many entries, closed. */
function written(count: number, keepEntries?: number): string {
  const path = journalPath()
  const journal = new Journal(path, keepEntries === undefined ? {} : { keepEntries })
  for (let number = 1; number <= count; number++) appendTo(journal, number)
  journal.close()
  return path
}

function read<Result>(path: string, look: (reader: JournalReader) => Result): Result {
  const reader = new JournalReader(path)
  try {
    return look(reader)
  } finally {
    reader.close()
  }
}

function change(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

function snapshotsIn(path: string): readonly unknown[] {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database.prepare('SELECT seq FROM snapshots ORDER BY seq').all()
  database.close()
  return rows.map(({ seq }) => seq)
}

describe('the state in a journal', () => {
  it('comes with every kline up to it, bit by bit', () => {
    read(written(35), reader => {
      const snapshot = reader.snapshot()
      expect(snapshot).toMatchObject({ seq: 30, state: { at: 30 } })
      const blocks = snapshot === undefined ? [] : reader.klinesAt(snapshot)
      expect(blocks.map(({ series }) => series)).toEqual(Array(3).fill('BTC/USDT 1m'))
      expect(blocks.map(({ values }) => [...values])).toEqual(
        [10, 20, 30].map(number => [number, 1.5, 2, 0.1 + 0.2, Number.NaN, -0]),
      )
    })
  })

  it('is on the disk as soon as it is kept, with every entry before it', () => {
    const path = journalPath()
    const journal = new Journal(path)
    journal.append({ kind: 'note', time: 1, body: {} })
    journal.snapshot(2.9, { at: 1 })
    read(path, reader => {
      expect(reader.snapshot()).toEqual({ seq: 1, time: 2, state: { at: 1 } })
      expect([...reader.entries()]).toHaveLength(1)
    })
    journal.close()
  })

  it.each([
    ['every entry is kept', Number.POSITIVE_INFINITY],
    ['no entry before it is kept', 0],
  ])('is the time that a journal ends at, where it is later than its entry and %s', (_what, keepEntries) => {
    const path = journalPath()
    const journal = new Journal(path, { keepEntries })
    expect(journal.time).toBeUndefined()
    journal.append({ kind: 'note', time: 5, body: {} })
    journal.append({ kind: 'note', time: 7, body: {} })
    expect(journal.time).toBe(7)
    journal.snapshot(9, {})
    expect(journal.time).toBe(9)
    journal.close()
    const again = new Journal(path)
    expect(again.time).toBe(9)
    again.append({ kind: 'note', time: 11, body: {} })
    expect(again.time).toBe(11)
    again.close()
  })

  it('takes the place of an earlier one after the same entry', () => {
    const path = journalPath()
    const journal = new Journal(path)
    journal.append({ kind: 'note', time: 1, body: {} })
    journal.snapshot(2, { at: 'first' })
    journal.snapshot(3, { at: 'second' })
    journal.close()
    expect(read(path, reader => reader.snapshot())).toEqual({ seq: 1, time: 3, state: { at: 'second' } })
  })

  it('keeps the first and the latest only, while every entry is kept', () => {
    expect(snapshotsIn(written(65))).toEqual([10, 60])
  })

  it('lets old entries go, so that at least as many stay as are asked for, and at most twice as many and a state more', () => {
    const path = journalPath()
    const journal = new Journal(path, { keepEntries: 30 })
    for (let count = 1; count <= 200; count++) {
      appendTo(journal, count)
      journal.commit()
      const kept = read(path, reader => [...reader.entries()].length)
      expect(kept).toBeGreaterThanOrEqual(Math.min(count, 30))
      expect(kept).toBeLessThanOrEqual(2 * 30 + 2 * 10)
      expect(snapshotsIn(path).length).toBeLessThanOrEqual(3)
    }
    journal.close()
  })

  it.each([
    // A state after every tenth entry: 20 entries follow that of 10 at 30, and that of 30, the next that stays, at 50.
    [29, 1],
    [30, 11],
    [49, 11],
    [50, 31],
  ])('after %i entries, of which 20 must stay, goes on from entry %i', (count, first) => {
    const seqs = read(written(count, 20), reader => [...reader.entries()].map(({ seq }) => seq))
    expect([seqs[0], seqs.at(-1)]).toEqual([first, count])
  })

  it('begins what is left: the chain holds from there, and the klines are all there', () => {
    const path = written(123, 30)
    read(path, reader => {
      const base = reader.base()
      const [first] = reader.entries()
      expect(base?.seq).toBeGreaterThan(0)
      expect(first?.seq).toBe((base?.seq ?? 0) + 1)
      expect(reader.verify()).toMatchObject({ holds: true, end: { seq: 123 } })
      expect(base === undefined ? [] : reader.klinesAt(base)).toHaveLength((base?.seq ?? 0) / 10)
    })
    new Journal(path).close()
  })

  it('is not there at the beginning of a journal that is whole', () => {
    expect(read(written(35), reader => reader.base())).toBeUndefined()
  })

  it.each([
    [
      'a changed kline',
      `UPDATE klines SET data = zeroblob(48) WHERE number = 2`,
      /klines of BTC\/USDT 1m kept at entry 20/,
    ],
    [
      'klines of another series',
      `UPDATE klines SET series = 'ETH/USDT 1m' WHERE number = 2`,
      /klines of ETH\/USDT 1m kept at entry 20/,
    ],
    ['missing klines', 'DELETE FROM klines WHERE number = 3', /klines before entry 30 are missing/],
  ])('with %s is refused', (_what, sql, message) => {
    const path = written(35)
    change(path, sql)
    read(path, reader => {
      const snapshot = reader.snapshot()
      expect(() => (snapshot === undefined ? [] : reader.klinesAt(snapshot))).toThrow(message)
    })
  })

  it.each([
    ['alone', 'seq = (SELECT min(seq) FROM snapshots)'],
    ['with all others', 'true'],
  ])('that is missing before dropped entries, %s, is noticed', (_what, which) => {
    const path = written(123, 30)
    const first = read(path, reader => [...reader.entries()][0]?.seq)
    change(path, `DELETE FROM snapshots WHERE ${which}`)
    expect(read(path, reader => reader.verify())).toEqual({
      holds: false,
      trusted: 0,
      problem: `the state before entry ${first}, the first that is left, is missing`,
    })
  })

  it('that its bot drops between two reads is said to be missing', () => {
    const path = written(35)
    read(path, reader => {
      const snapshot = reader.snapshot()
      change(path, 'DELETE FROM snapshots WHERE seq = 30')
      expect(() => (snapshot === undefined ? [] : reader.klinesAt(snapshot))).toThrow(
        /klines before entry 30 are missing/,
      )
    })
  })
})

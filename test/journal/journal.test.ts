import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { Journal, type NewEntry } from '../../src/journal/journal.ts'
import { JournalError } from '../../src/journal/journal-error.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import type { ChainCheck } from '../../src/journal/verify-chain.ts'
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

function verified(path: string): ChainCheck {
  const reader = new JournalReader(path)
  try {
    return reader.verify()
  } finally {
    reader.close()
  }
}

/** The files of this process whose names begin with a path. */
function openFilesOf(path: string): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap(file => {
    try {
      const name = readlinkSync(`/proc/self/fd/${file}`)
      return name.startsWith(path) ? [name] : []
    } catch {
      return [] // The folder itself, read and closed.
    }
  })
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

describe('a journal', () => {
  it('lets no other user of the machine read it, its log or its lock', () => {
    const path = journalPath()
    const journal = new Journal(path)
    journal.append(event(1))
    journal.commit()
    const files = ['', '-wal', '-shm', '.lock'].map(end => [end, modeOf(`${path}${end}`)])
    expect(files).toEqual([
      ['', '600'],
      ['-wal', '600'],
      ['-shm', '600'],
      ['.lock', '600'],
    ])
    journal.close()
  })

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

  it.each([
    ['state', `state = '{}'`],
    ['time', 'time = time + 1'],
    ['entry', 'chain = hash'],
    ['klines', 'klines = hash'],
  ])('with a state whose %s was changed is refused, even where no entry follows', (_what, assignment) => {
    const path = written(5, 5)
    change(path, `UPDATE snapshots SET ${assignment}`)
    expect(() => new Journal(path)).toThrow(
      /damaged: the state kept at entry 5 is not what was written\. Entries up to 5 can be trusted/,
    )
    expect(verified(path)).toEqual({
      holds: false,
      trusted: 5,
      problem: 'the state kept at entry 5 is not what was written',
    })
  })

  it('is found by a whole check where klines were changed', () => {
    const path = journalPath()
    const journal = new Journal(path)
    journal.append(event(1))
    journal.snapshot(TIME, {}, [{ series: 'BTC/USDT 1m', values: Float64Array.of(1, 2, 3, 4, 5, 6) }])
    journal.close()
    expect(verified(path)).toMatchObject({ holds: true })
    change(path, 'UPDATE klines SET data = zeroblob(48)')
    expect(verified(path)).toEqual({
      holds: false,
      trusted: 0,
      problem: 'the klines of BTC/USDT 1m kept at entry 1 are not what was written',
    })
  })

  it.each([
    ['DELETE FROM entries WHERE seq = 3', 'entry 3 is missing'],
    [`UPDATE entries SET previous = '' WHERE seq = 3`, 'entry 3 does not continue the one before'],
    [`UPDATE entries SET kind = 'note' WHERE seq = 3`, 'entry 3 is not what was written'],
    [
      `UPDATE entries SET body = body || 'x', decisions = substr(decisions, 2) WHERE seq = 3`,
      'entry 3 is not what was written',
    ],
  ])('says what is wrong with it: %s', (sql, problem) => {
    const path = written(5)
    change(path, sql)
    expect(verified(path)).toEqual({ holds: false, trusted: 2, problem })
  })

  it('can be opened again once it is put right: its refusal keeps no lock', () => {
    const path = written(5)
    change(path, 'UPDATE entries SET time = time + 1 WHERE seq = 5')
    expect(() => new Journal(path)).toThrow(JournalError)
    change(path, 'UPDATE entries SET time = time - 1 WHERE seq = 5')
    const journal = new Journal(path)
    expect(journal.seq).toBe(5)
    journal.close()
  })

  it('halts a bot', () => {
    const path = written(5)
    change(path, 'DELETE FROM entries WHERE seq = 3')
    expect(() => new Journal(path)).toThrow(expect.objectContaining({ code: 'JOURNAL', reaction: 'halt' }))
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

  it('that is damaged in an entry and in a later state can be trusted up to the entry before', () => {
    const path = written(5, 5)
    change(path, `UPDATE entries SET body = '{}' WHERE seq = 2; UPDATE snapshots SET state = '{}'`)
    expect(verified(path)).toMatchObject({ holds: false, trusted: 1 })
  })

  it('that was cut off is refused or reads up to the cut', () => {
    const path = written(400)
    truncateSync(path, 40_000)
    expect(() => new Journal(path)).toThrow(/damaged|cannot be read/)
  })

  it('with a page that was overwritten can be trusted up to there', () => {
    const path = written(400)
    const file = openSync(path, 'r+')
    const { size } = statSync(path)
    // The last page of the entries: its head says what kind of page it is.
    writeSync(file, Buffer.alloc(4096, 0xff), 0, 4096, size - 4096)
    closeSync(file)
    const check = verified(path)
    if (check.holds) throw new Error('The damage went unseen.')
    expect(check.problem).toMatch(/^the file cannot be read on \(.*malformed.*\)$/)
    expect(check.trusted).toBeGreaterThan(300)
    expect(check.trusted).toBeLessThan(400)
    expect(() => new Journal(path)).toThrow(new RegExp(`Entries up to ${check.trusted} can be trusted`))
  })

  /** What is said of a file, to a bot that would write it and to a reader. */
  function refusals(path: string): readonly (JournalError | undefined)[] {
    return [Journal, JournalReader].map(Kind => {
      try {
        new Kind(path).close()
        return undefined
      } catch (error) {
        return error instanceof JournalError ? error : undefined
      }
    })
  }

  it('is no journal: any other file', () => {
    const path = journalPath()
    writeFileSync(path, 'not a database, and longer than a header of one hundred bytes '.repeat(20))
    for (const error of refusals(path)) {
      expect(error?.message).toBe(
        `The file ${path} is no journal, or its beginning is damaged (file is not a database). Give the file that "journal" names in the bot's configuration; in place of a damaged one, put its backup.`,
      )
      expect(error?.cause).toMatchObject({ message: 'file is not a database' })
    }
  })

  it('is no journal: a folder', () => {
    const path = dirname(journalPath())
    for (const error of refusals(path))
      expect(error?.message).toBe(
        `The journal ${path} is a folder; give a file, such as ${join(path, 'paper.journal')}.`,
      )
  })

  it('is no journal: any other database', () => {
    const path = journalPath()
    change(path, 'CREATE TABLE other (a)')
    for (const error of refusals(path))
      expect(error?.message).toBe(
        `The file ${path} is a database, but no journal of Sluice. Name another file.`,
      )
  })

  it('of another version is refused by name', () => {
    const path = written(1)
    change(path, `UPDATE meta SET value = '99' WHERE key = 'schemaVersion'`)
    for (const error of refusals(path))
      expect(error?.message).toMatch(/^The journal .* has version 99, but this Sluice reads version 2\./)
  })

  it('with a version that nobody can read is refused', () => {
    const path = written(1)
    change(path, 'DELETE FROM meta')
    for (const error of refusals(path)) expect(error?.message).toMatch(/no journal of Sluice/)
  })

  it('that is absent is no journal to read, and none is made', () => {
    const path = journalPath()
    expect(() => new JournalReader(path)).toThrow(`There is no journal at ${path}.`)
    expect(existsSync(path)).toBe(false)
  })

  it.skipIf(process.platform !== 'linux')('is not kept open by who refused it', () => {
    const path = written(1)
    change(path, `UPDATE meta SET value = '99' WHERE key = 'schemaVersion'`)
    refusals(path)
    expect(openFilesOf(path)).toEqual([])
  })
})

describe('a reader of a journal', () => {
  it('changes no byte of what a killed bot left', () => {
    const path = journalPath()
    const journal = new Journal(path)
    for (let number = 1; number <= 10; number++) journal.append(event(number))
    journal.commit()
    const left = journalPath()
    for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${left}${end}`)
    journal.close()
    const bytes = () => ['', '-wal'].map(end => readFileSync(`${left}${end}`).toString('hex'))
    const before = bytes()
    const reader = new JournalReader(left)
    expect([...reader.entries()]).toHaveLength(10)
    reader.close()
    expect(bytes()).toEqual(before)
  })

  it.skipIf(process.platform !== 'linux')('lets go of the file when it is closed, as does a bot', () => {
    const path = written(3)
    const journal = new Journal(path)
    journal.append(event(4))
    journal.commit()
    const reader = new JournalReader(path)
    expect([...reader.entries()]).toHaveLength(4)
    reader.close()
    journal.close()
    expect(openFilesOf(dirname(path))).toEqual([])
  })

  it('says of an empty journal that it holds, and gives no state', () => {
    const reader = new JournalReader(written(0))
    expect(reader.verify()).toEqual({ holds: true, entries: 0, end: { seq: 0, hash: '0'.repeat(32) } })
    expect(reader.snapshot()).toBeUndefined()
    expect(reader.base()).toBeUndefined()
    expect([...reader.entries()]).toEqual([])
    reader.close()
  })

  it('reads what an earlier Sluice of this version wrote', () => {
    const path = written(0)
    const database = new DatabaseSync(path)
    // The chain as it is described, written a second time.
    const link = (before: string, head: string, body: string, decisions?: string) =>
      createHash('sha256')
        .update(`${before}|${head}|${body.length}|${decisions?.length ?? -1}|${body}${decisions ?? ''}`)
        .digest('hex')
        .slice(0, 32)
    const start = '0'.repeat(32)
    const first = link(start, '1|7|event', '{"fee":{"$bigint":"5"}}', '[]')
    const second = link(first, '2|8|note', '"later"')
    database
      .prepare(
        'INSERT INTO entries (seq, time, kind, body, decisions, previous, hash) VALUES (?,?,?,?,?,?,?)',
      )
      .run(1, 7, 'event', '{"fee":{"$bigint":"5"}}', '[]', start, first)
    database
      .prepare(
        'INSERT INTO entries (seq, time, kind, body, decisions, previous, hash) VALUES (?,?,?,?,?,?,?)',
      )
      .run(2, 8, 'note', '"later"', null, first, second)
    const data = new Uint8Array(Float64Array.of(60_000, 1, 4, 0.5, 2, 9).buffer)
    const digest = createHash('sha256').update(data).digest('hex')
    const klines = link(start, '2|48|klines', 'BTC/USDT 1m', digest)
    database
      .prepare('INSERT INTO klines (seq, series, data, hash) VALUES (?,?,?,?)')
      .run(2, 'BTC/USDT 1m', data, klines)
    const state = link(`${second}|${klines}`, '2|8|snapshot', '{"a":1}')
    database
      .prepare('INSERT INTO snapshots (seq, time, state, hash, chain, klines) VALUES (?,?,?,?,?,?)')
      .run(2, 8, '{"a":1}', state, second, klines)
    database.close()
    const reader = new JournalReader(path)
    expect(reader.verify()).toEqual({ holds: true, entries: 2, end: { seq: 2, hash: second } })
    expect([...reader.entries()]).toEqual([
      { seq: 1, time: 7, kind: 'event', body: { fee: 5n }, decisions: [] },
      { seq: 2, time: 8, kind: 'note', body: 'later', decisions: undefined },
    ])
    const snapshot = reader.snapshot()
    expect(snapshot).toEqual({ seq: 2, time: 8, state: { a: 1 } })
    if (snapshot !== undefined)
      expect(reader.klinesAt(snapshot)).toEqual([
        { series: 'BTC/USDT 1m', values: Float64Array.of(60_000, 1, 4, 0.5, 2, 9) },
      ])
    reader.close()
    const journal = new Journal(path)
    expect(journal.append(event(3))).toBe(3)
    journal.snapshot(9, {}, [{ series: 'BTC/USDT 1m', values: Float64Array.of(120_000, 2, 2, 2, 2, 1) }])
    journal.close()
    expect(verified(path)).toMatchObject({ holds: true, entries: 3 })
  })
})

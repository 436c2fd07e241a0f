import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Journal } from '../../src/journal/journal.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { journalPath } from './journal-session.ts'
import { VERSION_ONE_ENTRIES, versionOf, versionOneJournal } from './version-one.ts'

/** With the departures of the two orders that worked. */
const UPGRADED_ENTRIES = VERSION_ONE_ENTRIES + 2

const PROCESS = fileURLToPath(new URL('./upgrading-process.ts', import.meta.url))

const rowsIn = (path: string) => {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database.prepare('SELECT * FROM entries ORDER BY seq').all()
  } finally {
    database.close()
  }
}

const tablesIn = (path: string) => {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const rows = database.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all()
    return rows.map(({ name, sql }) => [name, String(sql).replaceAll(/\s+/g, ' ')])
  } finally {
    database.close()
  }
}

function changed(path: string, sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

describe('a journal of version 1', () => {
  it('is copied beside itself and upgraded by who opens it for writing, entry by entry the same', () => {
    const path = versionOneJournal()
    const before = rowsIn(path)
    const journal = new Journal(path)
    const copy = `${path}.version-1`
    expect(journal.upgrade).toEqual({ from: '1', copy })
    journal.close()
    expect([versionOf(path), versionOf(copy)]).toEqual(['2', '1'])
    expect([rowsIn(path).slice(0, VERSION_ONE_ENTRIES), rowsIn(copy)]).toEqual([before, before])
    if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o600)
    // The tables are those of a journal that begins now.
    const fresh = journalPath()
    new Journal(fresh).close()
    expect(tablesIn(path)).toEqual(tablesIn(fresh))
    const reader = new JournalReader(path)
    expect(reader.verify()).toMatchObject({ holds: true, entries: UPGRADED_ENTRIES })
    // The stop that waited and the exit that rested may be at the exchange: they count as sent with the last entry.
    expect([...reader.entries({ after: VERSION_ONE_ENTRIES })].map(({ kind, body }) => [kind, body])).toEqual(
      ['2o6fbm2vqhdvz-lqu62swk-0', '2o6fbm2vqhdvz-lqu642tc-0'].map(clientOrderId => [
        'send',
        {
          ...{ action: 'place', clientOrderId, symbol: 'BTC/USDT' },
          ...{ timestamp: 1_704_068_040_500, recvWindowMs: 60_000 },
        },
      ]),
    )
    reader.close()
    const again = new Journal(path)
    expect(again.upgrade).toBeUndefined()
    again.close()
  })

  it('is left alone by who reads it, with a sentence about what to do', () => {
    const path = versionOneJournal()
    const before = readFileSync(path)
    expect(() => new JournalReader(path)).toThrow(
      `The journal ${path} has version 1 of an earlier Sluice, and this command changes no journal. Start its bot once with this Sluice ("npm start -- --config FILE"), which copies the journal beside itself and upgrades it.`,
    )
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it.each([
    [
      'a changed entry',
      "UPDATE entries SET body = replace(body, '100', '101') WHERE seq = 5",
      'entry 5 is not what',
    ],
    ['a missing entry', 'DELETE FROM entries WHERE seq = 7', 'entry 7 is missing'],
    ['a missing beginning', 'DELETE FROM entries WHERE seq < 4', 'the state before entry 4'],
  ])('with %s is refused as damaged, and left as it was', (_what, sql, problem) => {
    const path = versionOneJournal()
    changed(path, sql)
    const before = rowsIn(path)
    expect(() => new Journal(path)).toThrow(problem)
    expect([versionOf(path), rowsIn(path)]).toEqual(['1', before])
  })

  it('is not upgraded over another file in the place of its copy', () => {
    const path = versionOneJournal()
    const other = versionOneJournal()
    changed(other, 'DELETE FROM entries WHERE seq > 10')
    writeFileSync(`${path}.version-1`, readFileSync(other))
    expect(() => new Journal(path)).toThrow(/another file is there\. Move that file away\.$/)
    expect(versionOf(path)).toBe('1')
  })

  it('loses nothing where the upgrade is killed before any of its statements', { timeout: 120_000 }, () => {
    let interrupted = 0
    for (let statement = 1; ; statement++) {
      const path = versionOneJournal()
      const before = rowsIn(path)
      const { stdout, stderr } = spawnSync(process.execPath, [PROCESS, path, `${statement}`])
      if (stdout.includes('opened')) break
      expect(String(stderr)).toBe('')
      interrupted++
      expect(rowsIn(path).slice(0, VERSION_ONE_ENTRIES)).toEqual(before)
      // Once it is upgraded, or about to be, the copy is whole.
      if (existsSync(`${path}.version-1`)) expect(rowsIn(`${path}.version-1`)).toEqual(before)
      else expect(versionOf(path)).toBe('1')
      const journal = new Journal(path)
      expect(journal.seq).toBe(UPGRADED_ENTRIES)
      journal.close()
      expect([versionOf(path), rowsIn(path).slice(0, VERSION_ONE_ENTRIES)]).toEqual(['2', before])
      expect(rowsIn(`${path}.version-1`)).toEqual(before)
    }
    expect(interrupted).toBeGreaterThan(10)
  })
})

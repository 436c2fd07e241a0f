import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { Journal } from '../../src/journal/journal.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { sluiceHere } from '../cli/backtest/in-process.ts'
import { journalPath } from '../journal/journal-session.ts'
import { fileWith } from './sluice-process.ts'

const backup = (...paths: readonly string[]) => sluiceHere('backup', ...paths)

it('a backup overwrites nothing, and leaves nothing of a copy that failed', async () => {
  const copy = join(dirname(fileWith('bot.journal', 'no database')), 'copy')
  const failed = await backup(join(dirname(copy), 'bot.journal'), copy)
  expect(failed.exitCode).toBe(1)
  expect(failed.err).toContain('is no journal, or its beginning is damaged')
  for (const path of [copy, `${copy}.part`]) expect(existsSync(path)).toBe(false)
  const there = fileWith('copy', '')
  const refused = await backup(there, there)
  expect([refused.exitCode, refused.err]).toEqual([2, expect.stringContaining('give the copy another name')])
  expect((await backup('data/no-such.journal', copy)).exitCode).toBe(2)
})

it('a backup has what was written to a journal that is open', async () => {
  const path = journalPath()
  const journal = new Journal(path)
  const entry = { kind: 'event', time: 1, body: { type: 'filled' }, decisions: [] } as const
  journal.append(entry)
  journal.append({ ...entry, time: 2 })
  journal.commit()
  const copy = `${path}.copy`
  const made = await backup(path, copy, '--json')
  expect({ ...made, out: JSON.parse(made.out) }).toEqual({
    exitCode: 0,
    out: { file: copy, entries: 2 },
    err: '',
  })
  journal.close()
  const reader = new JournalReader(copy)
  expect([...reader.entries({ after: 0 })].map(({ time }) => time)).toEqual([1, 2])
  reader.close()
})

import { chmodSync, writeFileSync } from 'node:fs'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { StartJournal } from '../../src/cli/start-journal.ts'
import { journalPath } from '../journal/journal-session.ts'
import { LogLines } from '../parity/log-lines.ts'

it('names every file of a journal that others can read, that of the built-in exchange too', () => {
  const file = journalPath()
  const said = () => {
    const lines = new LogLines()
    new StartJournal({ file, keepEntries: 100, snapshotEntries: 100 }, pino({}, lines)).journal.close()
    return lines.said('other users of this machine can read the journal')
  }
  expect(said()).toEqual([])
  writeFileSync(`${file}.exchange`, '')
  chmodSync(`${file}.exchange`, 0o666)
  expect(said()).toEqual([
    expect.objectContaining({ file: `${file}.exchange`, advice: `chmod 600 ${file}.exchange` }),
  ])
  chmodSync(file, 0o644)
  expect(said()).toEqual([
    expect.objectContaining({
      file: `${file} and ${file}.exchange`,
      advice: `chmod 600 ${file} ${file}.exchange`,
    }),
  ])
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Journal } from '../../src/journal/journal.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import { journalPath } from './journal-session.ts'

const WRITER = fileURLToPath(new URL('./writing-process.ts', import.meta.url))

/** Lets a process write until it has said `lines` numbers, kills it, and gives the last number it said. */
async function killAfter(path: string, lines: number): Promise<number> {
  const writer = spawn(process.execPath, [WRITER, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const chunk of writer.stdout) {
    said += String(chunk)
    if (said.split('\n').length > lines) break
  }
  writer.kill('SIGKILL')
  if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'exit')
  return Number(said.trimEnd().split('\n').at(-1))
}

describe('a journal whose writer is killed', () => {
  it.each([1, 4, 9, 350])(
    'keeps everything that was committed (after %i commits), and can be written again',
    async lines => {
      const path = journalPath()
      const committed = await killAfter(path, lines)
      const journal = new Journal(path)
      expect(journal.seq).toBeGreaterThanOrEqual(committed)
      journal.append({ kind: 'note', time: 0, body: 'again' })
      journal.close()
      const reader = new JournalReader(path)
      expect(reader.verify()).toMatchObject({ holds: true })
      reader.close()
    },
  )
})

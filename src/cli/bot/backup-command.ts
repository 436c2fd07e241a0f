import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../../domain/sluice-error.ts'
import { makePrivateFolder } from '../../files/private-file.ts'
import { copyJournal } from '../../journal/copy-journal.ts'
import { requireJournal } from '../existing-journal.ts'
import type { CommandOutput } from '../streams.ts'

/** Paths of a journal and of its copy. */
export interface BackupOptions {
  readonly journal: string
  readonly file: string
  readonly json: boolean
}

/** Copies a journal while its bot runs; resolves to exit code 0, rejects with `UsageError` for paths that cannot be used. */
export async function runBackup({ journal, file, json }: BackupOptions, out: CommandOutput): Promise<number> {
  requireJournal(journal)
  for (const path of [file, `${file}.exchange`])
    if (existsSync(path)) throw new UsageError(`There is a file ${path} already; give the copy another name.`)
  makePrivateFolder(dirname(file))
  const copy = await copyJournal(journal, file)
  out.write(json ? `${JSON.stringify({ file, ...copy })}\n` : textOf(file, copy))
  return 0
}

function textOf(file: string, { entries, exchange }: Awaited<ReturnType<typeof copyJournal>>): string {
  const beside = exchange === undefined ? '' : `, with the paper account in ${exchange}`
  return `Copied and checked ${entries} entries to ${file}${beside}.\n`
}

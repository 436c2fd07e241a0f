import { existsSync, renameSync, rmSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { makePrivateFile } from '../files/private-file.ts'
import { JournalError } from './journal-error.ts'
import { JournalReader } from './journal-reader.ts'

/** Tries to copy journal and simulated exchange at a moment in which the journal stands still. */
const MOST_TRIES = 50

/** Pages that are copied in one step: all, so that no writer comes in between. */
const ALL_PAGES = 2 ** 30

/** Files of a finished copy. */
export interface JournalCopy {
  /** Entries of the copied journal that can be read. */
  readonly entries: number
  /** The copy of the simulated exchange beside it; absent where there is none. */
  readonly exchange?: string
}

/**
 * Copies a journal, also of a running bot, and the simulated exchange that is kept beside it, as of one moment; verifies the
 * copy. Throws `JournalError` if the journal or its copy is damaged, or never stands still; then it leaves no file behind.
 */
export async function copyJournal(from: string, to: string): Promise<JournalCopy> {
  const files = existsSync(`${from}.exchange`)
    ? [
        [from, to],
        [`${from}.exchange`, `${to}.exchange`],
      ]
    : [[from, to]]
  const parts = files.map(([source = '', target = '']) => ({ source, target, part: `${target}.part` }))
  try {
    await copyAtOneMoment(from, parts)
    const entries = verifiedEntries(parts[0]?.part ?? to)
    for (const { part, target } of parts) renameSync(part, target)
    return { entries, ...(parts.length > 1 && { exchange: `${to}.exchange` }) }
  } finally {
    for (const { part } of parts) for (const end of ['', '-wal', '-shm']) rmSync(part + end, { force: true })
  }
}

interface Part {
  readonly source: string
  readonly part: string
}

/** An exchange that knows of later orders than the journal, or of earlier ones only, would not go on with it. */
async function copyAtOneMoment(journal: string, parts: readonly Part[]): Promise<void> {
  const reader = new JournalReader(journal)
  try {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const { lastSeq } = reader
      for (const part of parts) await copyFile(part)
      if (reader.lastSeq === lastSeq || parts.length === 1) return
    }
  } finally {
    reader.close()
  }
  throw new JournalError(
    `The journal ${journal} moved on during each of ${MOST_TRIES} copies. Stop the bot, or try again at a quieter time.`,
  )
}

async function copyFile({ source, part }: Part): Promise<void> {
  rmSync(part, { force: true })
  makePrivateFile(part)
  const database = new DatabaseSync(source, { readOnly: true })
  try {
    await backup(database, part, { rate: ALL_PAGES })
  } finally {
    database.close()
  }
}

function verifiedEntries(path: string): number {
  const reader = new JournalReader(path)
  try {
    const check = reader.verify()
    if (check.holds) return check.entries
    throw new JournalError(
      `The copy of the journal is damaged: ${check.problem}. Run "npm run replay" on the journal.`,
    )
  } finally {
    reader.close()
  }
}

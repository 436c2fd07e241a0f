import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makePrivateFile } from '../files/private-file.ts'
import { syncFile, syncFolder } from '../files/sync.ts'
import { chainHash } from './chain-hash.ts'
import { JournalError } from './journal-error.ts'
import { INSERT_ENTRY, KLINES_TABLE, SCHEMA_VERSION, SNAPSHOTS_TABLE } from './journal-schema.ts'
import { journalText } from './journal-text.ts'
import { type ChainEnd, damageIn, verifyChain } from './verify-chain.ts'
import { lastTimeIn, workingOrdersIn } from './version-one-orders.ts'

/** Version that is upgraded: its bots kept no klines apart, and no states. */
export const UPGRADED_VERSION = '1'

/** Longest time in which the exchange may accept a request, ms; version 1 did not note that of its own. */
const LONGEST_WINDOW_MS = 60_000

/** A journal of an earlier version that was upgraded. */
export interface JournalUpgrade {
  readonly from: string
  /** The journal as it was. */
  readonly copy: string
}

/**
 * Upgrades a journal of version 1, locked by the caller, to the present one: copies it beside itself, then changes the tables in
 * one transaction. A crash at any moment leaves it as it was, or upgraded. Throws `JournalError`, and changes nothing, if it is
 * damaged or another file is in the place of the copy.
 */
export function upgradeJournal(database: DatabaseSync, path: string): JournalUpgrade {
  const copy = `${path}.version-${UPGRADED_VERSION}`
  if (existsSync(copy)) checkSame(database, path, copy)
  else copyAside(database, copy)
  database.exec('BEGIN IMMEDIATE')
  try {
    // A state of version 1 was no part of a restart; every entry runs again.
    database.exec(`DROP TABLE snapshots; ${SNAPSHOTS_TABLE} ${KLINES_TABLE}`)
    database.exec(`UPDATE meta SET value = '${SCHEMA_VERSION}' WHERE key = 'schemaVersion'`)
    const check = verifyChain(database)
    if (!check.holds) throw damageIn(database, path, check)
    appendDepartures(database, check.end)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
  return { from: UPGRADED_VERSION, copy }
}

/**
 * Version 1 noted no departures of orders. So every order that may work counts as sent: the next start looks for it at the
 * exchange, and sends none of them a second time.
 */
function appendDepartures(database: DatabaseSync, end: ChainEnd): void {
  const insert = database.prepare(INSERT_ENTRY)
  const time = lastTimeIn(database)
  let { seq, hash: previous } = end
  for (const order of workingOrdersIn(database)) {
    seq++
    const body = journalText({ action: 'place', ...order, timestamp: time, recvWindowMs: LONGEST_WINDOW_MS })
    const hash = chainHash(previous, { seq, time, kind: 'send', body, decisions: undefined })
    insert.run(seq, time, 'send', body, null, previous, hash)
    previous = hash
  }
}

function copyAside(database: DatabaseSync, copy: string): void {
  const part = `${copy}.part`
  rmSync(part, { force: true })
  makePrivateFile(part)
  try {
    database.prepare('VACUUM INTO ?').run(part)
    syncFile(part)
    renameSync(part, copy)
    syncFolder(dirname(copy))
  } finally {
    rmSync(part, { force: true })
  }
}

/** An upgrade that was interrupted has left the copy; a journal of version 1 that was put back has it as well. */
function checkSame(database: DatabaseSync, path: string, copy: string): void {
  const other = new DatabaseSync(copy, { readOnly: true })
  try {
    if (endOf(other) === endOf(database)) return
  } finally {
    other.close()
  }
  throw new JournalError(
    `The journal ${path} is upgraded after a copy of it is made at ${copy}, but another file is there. Move that file away.`,
  )
}

/** Number and hash of the latest entry; the hash covers all before it. */
function endOf(database: DatabaseSync): string {
  const row = database.prepare('SELECT seq, hash FROM entries ORDER BY seq DESC LIMIT 1').get()
  return row === undefined ? '' : `${row.seq} ${row.hash}`
}

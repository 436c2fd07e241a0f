import { existsSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parse, stringify } from 'devalue'
import { SluiceError, UsageError } from '../../domain/sluice-error.ts'
import { applyChange, type CoreChange } from '../core-change.ts'
import type { ExchangeCore } from '../exchange-core.ts'
import { coreStateText, restoreCore } from './core-state.ts'
import type { ExchangeKeeper } from './exchange-keeper.ts'

/** Raised by every incompatible change of the format. */
const FORMAT = 'sluice-exchange-file-1'

/** About the largest number of changes that a start replays; then the state is written anew. */
const MOST_CHANGES = 2000
/** So many changes that touched no account wait for one that does, about; then the state is written anew. */
const MOST_HEARD = 1000
/** So much market time is gone through again by a start at most, about, ms: three days. */
const MOST_TIME = 259_200_000

const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- The whole exchange at one moment.
  CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), time INTEGER NOT NULL, body TEXT NOT NULL) STRICT;

  -- What has changed it since, beside the passing of time, in order.
  CREATE TABLE changes (seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
`

export interface ExchangeFileOptions {
  /** Default: true. false: writes survive the process, but not a crash of the machine. */
  readonly syncs?: boolean
}

/**
 * A simulated exchange in a file: its state at one moment, and every change since. Markets follow from these
 * and the time alone. A change is on the disk before it is answered, so that a client with an answer finds
 * the same exchange after a crash; unanswered changes may be there as well, as on any exchange. The file
 * stays bounded: the state is rewritten regularly, and older changes are dropped.
 */
export class ExchangeFile implements ExchangeKeeper {
  readonly path: string
  readonly #database: DatabaseSync
  readonly #insert: StatementSync
  #seq: number
  #changes: number
  /** Changes that touched no account and are not on the disk yet, in order. */
  #heard: CoreChange[] = []
  #savedAt = Number.NEGATIVE_INFINITY

  /**
   * Opens a file, or creates it with access for its user alone; throws `UsageError` for a file of another
   * kind.
   */
  constructor(path: string, { syncs = true }: ExchangeFileOptions = {}) {
    this.path = path
    const isNew = !existsSync(path)
    this.#database = opened(path, isNew, syncs)
    this.#insert = this.#database.prepare('INSERT INTO changes (seq, time, body) VALUES (?, ?, ?)')
    const { seq, count } = this.#row('SELECT coalesce(max(seq), 0) AS seq, count(*) AS count FROM changes')
    this.#seq = Number(seq)
    this.#changes = Number(count)
  }

  /** True if it holds no exchange. */
  get isEmpty(): boolean {
    return this.#row('SELECT count(*) AS count FROM state').count === 0
  }

  /** The latest moment that is known of the exchange, ms UTC; `undefined` where there is none. */
  get time(): number | undefined {
    const { time } = this.#row(
      'SELECT max(time) AS time FROM (SELECT time FROM state UNION ALL SELECT time FROM changes)',
    )
    return typeof time === 'number' ? time : undefined
  }

  /** Changes since the state was written. */
  get changes(): number {
    return this.#changes
  }

  /** Setup stored beside the state; `undefined` if none was stored. */
  get setup(): string | undefined {
    const value = this.#database.prepare("SELECT value FROM meta WHERE key = 'setup'").get()?.value
    return typeof value === 'string' ? value : undefined
  }

  set setup(value: string) {
    this.#database.prepare("INSERT OR REPLACE INTO meta (key, value) VALUES ('setup', ?)").run(value)
  }

  restore(core: ExchangeCore): boolean {
    const row = this.#database.prepare('SELECT time, body FROM state').get()
    if (row === undefined) return false
    try {
      restoreCore(core, String(row.body))
      for (const { body } of this.#database.prepare('SELECT body FROM changes ORDER BY seq').iterate())
        applyChange(core, parse(String(body)))
    } catch (cause) {
      throw new UsageError(
        `The simulated exchange in ${this.path} cannot be gone on with. Use the version of Sluice that wrote it, or move it and its journal away to begin anew.`,
        cause,
      )
    }
    this.#savedAt = Number(row.time)
    return true
  }

  hear(change: CoreChange, core: ExchangeCore): void {
    this.#heard.push(change)
    if (this.#heard.length >= MOST_HEARD) this.save(core)
  }

  note(change: CoreChange, core: ExchangeCore): void {
    if (this.#heard.length === 0) this.#write(change)
    else
      this.#transact(() => {
        for (const heard of this.#heard) this.#write(heard)
        this.#write(change)
      })
    this.#heard = []
    if (this.#changes >= MOST_CHANGES) this.save(core)
  }

  pass(core: ExchangeCore): void {
    if (!(core.state.now - this.#savedAt < MOST_TIME)) this.save(core)
  }

  /** Writes the state anew, and drops earlier changes; postponed while delayed actions are pending. */
  save(core: ExchangeCore): void {
    const text = coreStateText(core)
    if (text === undefined) return
    const time = Math.floor(core.state.now)
    this.#transact(() => {
      this.#database.prepare('INSERT OR REPLACE INTO state (id, time, body) VALUES (1, ?, ?)').run(time, text)
      this.#database.exec('DELETE FROM changes')
    })
    this.#changes = 0
    this.#heard = []
    this.#savedAt = time
  }

  close(): void {
    this.#database.close()
  }

  #write(change: CoreChange): void {
    this.#seq++
    this.#changes++
    this.#insert.run(this.#seq, Math.floor(change.time), stringify(change))
  }

  /** Carries out all writes or none. */
  #transact(write: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      write()
      this.#database.exec('COMMIT')
    } catch (error) {
      this.#database.exec('ROLLBACK')
      throw error
    }
  }

  #row(sql: string): Record<string, unknown> {
    return this.#database.prepare(sql).get() ?? {}
  }
}

function opened(path: string, isNew: boolean, syncs: boolean): DatabaseSync {
  try {
    const database = new DatabaseSync(path)
    database.exec('PRAGMA journal_mode = WAL')
    database.exec(`PRAGMA synchronous = ${syncs ? 'FULL' : 'OFF'}`)
    if (isNew || isBare(database)) begin(database)
    checkFormat(database, path)
    return database
  } catch (cause) {
    if (cause instanceof SluiceError) throw cause
    throw new UsageError(
      `The file ${path}, which is to keep the simulated exchange, cannot be used: ${cause instanceof Error ? cause.message : cause}.`,
      cause,
    )
  }
}

/** A process may have died between making the file and its tables. */
function isBare(database: DatabaseSync): boolean {
  return database.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.count === 0
}

function begin(database: DatabaseSync): void {
  database.exec(`BEGIN IMMEDIATE; ${SCHEMA}`)
  database.prepare("INSERT INTO meta (key, value) VALUES ('format', ?)").run(FORMAT)
  database.exec('COMMIT')
}

function checkFormat(database: DatabaseSync, path: string): void {
  const hasMeta = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'meta'").get() !== undefined
  const format = hasMeta
    ? database.prepare("SELECT value FROM meta WHERE key = 'format'").get()?.value
    : undefined
  if (format === FORMAT) return
  throw new UsageError(
    `The file ${path} is to keep the simulated exchange, but ${format === undefined ? 'it is something else' : `its format is ${format}, not ${FORMAT}`}. Move it and its journal away to begin anew.`,
  )
}

import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { makePrivateFile } from '../../files/private-file.ts'
import type { BotNotice } from '../notices/bot-notice.ts'

/** A notice that waits for a channel. */
export interface WaitingNotice {
  readonly seq: number
  readonly notice: BotNotice
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS waiting (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, channel TEXT NOT NULL, severity INTEGER NOT NULL, notice TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS waitingByChannel ON waiting (channel, seq);
CREATE TABLE IF NOT EXISTS updates (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, command TEXT) STRICT;
CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`

/**
 * Notices that are not delivered yet, and what else of them a restart must know, in a SQLite file beside the journal. A write does
 * not wait for the disk: it outlives the process, and of a crash of the machine the last moments may be lost.
 */
export class Outbox {
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  /** Opens or creates the file; `:memory:` keeps nothing. Throws the error of SQLite. */
  constructor(path: string) {
    if (path !== ':memory:') makePrivateFile(path)
    this.#database = new DatabaseSync(path)
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;')
    this.#database.exec(SCHEMA)
  }

  /** Adds a notice at the end of the queue of a channel; `rank` orders severities, the mildest first. */
  add(channel: string, rank: number, notice: BotNotice): void {
    this.#run(
      'INSERT INTO waiting (channel, severity, notice) VALUES (?, ?, ?)',
      channel,
      rank,
      JSON.stringify(notice),
    )
  }

  /** The oldest of a channel. */
  first(channel: string): WaitingNotice | undefined {
    const row = this.#statement('SELECT seq, notice FROM waiting WHERE channel = ? ORDER BY seq LIMIT 1').get(
      channel,
    )
    return row === undefined ? undefined : waitingOf(row)
  }

  all(channel: string): readonly WaitingNotice[] {
    return this.#statement('SELECT seq, notice FROM waiting WHERE channel = ? ORDER BY seq')
      .all(channel)
      .map(waitingOf)
  }

  /** Removes one, because it is delivered or never will be. */
  remove(seq: number): void {
    this.#run('DELETE FROM waiting WHERE seq = ?', seq)
  }

  count(channel: string): number {
    return Number(this.#statement('SELECT count(*) AS n FROM waiting WHERE channel = ?').get(channel)?.n ?? 0)
  }

  /** Removes the oldest of the mildest of a channel, but for the one under way; true if there was one. */
  dropMildest(channel: string, underWay: number): boolean {
    const { changes } = this.#statement(
      'DELETE FROM waiting WHERE seq = (SELECT seq FROM waiting WHERE channel = ? AND seq <> ? ORDER BY severity, seq LIMIT 1)',
    ).run(channel, underWay)
    return changes > 0
  }

  /** A value that outlives the process. */
  kept(key: string): unknown {
    const row = this.#statement('SELECT value FROM kept WHERE key = ?').get(key)
    return row === undefined ? undefined : JSON.parse(String(row.value))
  }

  keep(key: string, value: unknown): void {
    this.#run('INSERT OR REPLACE INTO kept (key, value) VALUES (?, ?)', key, JSON.stringify(value))
  }

  forget(key: string): void {
    this.#run('DELETE FROM kept WHERE key = ?', key)
  }

  /** Notes an update of Telegram before it is acted upon; false if it was noted before. `time`: ms UTC. */
  noteUpdate(id: number, time: number, command: string): boolean {
    const { changes } = this.#statement(
      'INSERT OR IGNORE INTO updates (id, time, command) VALUES (?, ?, ?)',
    ).run(id, time, command)
    return changes > 0
  }

  /** Notes that an update has been acted upon. */
  endUpdate(id: number): void {
    this.#run('UPDATE updates SET command = NULL WHERE id = ?', id)
  }

  /** Commands that were begun and not ended, of an earlier run; they count as ended from now on. */
  takeInterrupted(): readonly string[] {
    const rows = this.#statement('SELECT command FROM updates WHERE command IS NOT NULL ORDER BY id').all()
    this.#run('UPDATE updates SET command = NULL')
    return rows.map(row => String(row.command))
  }

  /** Forgets updates of before a time, ms UTC. */
  forgetUpdates(before: number): void {
    this.#run('DELETE FROM updates WHERE time < ? AND command IS NULL', before)
  }

  close(): void {
    this.#database.close()
  }

  #run(sql: string, ...values: readonly (string | number)[]): void {
    this.#statement(sql).run(...values)
  }

  #statement(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

function waitingOf(row: Readonly<Record<string, unknown>>): WaitingNotice {
  return { seq: Number(row.seq), notice: JSON.parse(String(row.notice)) as BotNotice } // as `add` wrote it
}

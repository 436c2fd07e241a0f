import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { gunzipSync, gzipSync } from 'node:zlib'
import { UsageError } from '../domain/sluice-error.ts'
import type {
  StudyReturns,
  StudySearch,
  StudyTrial,
  StudyVerdict,
  TrialGroup,
  TrialIdentity,
} from './study-trial.ts'

/** Version of the tables below; a file of another version is refused. */
const VERSION = 1
/** Longest time that a writer waits for another one, ms. */
const WAIT_MS = 60_000

const TABLES = `
CREATE TABLE trials (
  key TEXT PRIMARY KEY,
  strategy TEXT NOT NULL, symbol TEXT NOT NULL, interval TEXT NOT NULL,
  code TEXT NOT NULL, data TEXT NOT NULL, config TEXT NOT NULL,
  fromTime INTEGER NOT NULL, toTime INTEGER NOT NULL, isSpan INTEGER NOT NULL,
  parameters TEXT NOT NULL, outcome TEXT NOT NULL, problem TEXT, figures TEXT,
  firstDay INTEGER, dailyReturns BLOB
) STRICT;
CREATE INDEX trialsOfData ON trials (strategy, data, fromTime, toTime);
CREATE TABLE searches (
  id TEXT PRIMARY KEY,
  strategy TEXT NOT NULL, symbol TEXT NOT NULL, interval TEXT NOT NULL,
  code TEXT NOT NULL, data TEXT NOT NULL, config TEXT NOT NULL,
  fromTime INTEGER NOT NULL, toTime INTEGER NOT NULL, isSpan INTEGER NOT NULL,
  definition TEXT NOT NULL
) STRICT;
CREATE TABLE asked (
  search TEXT NOT NULL, number INTEGER NOT NULL, key TEXT NOT NULL,
  PRIMARY KEY (search, number)
) STRICT, WITHOUT ROWID;
PRAGMA user_version = ${VERSION};
`
/** Made also in files that were written before there were these. */
const LATER_TABLES = `
CREATE INDEX IF NOT EXISTS askedForTrial ON asked (key);
CREATE TABLE IF NOT EXISTS verdicts (
  id TEXT PRIMARY KEY,
  strategy TEXT NOT NULL, symbol TEXT NOT NULL, interval TEXT NOT NULL,
  code TEXT NOT NULL, data TEXT NOT NULL, config TEXT NOT NULL,
  fromTime INTEGER NOT NULL, toTime INTEGER NOT NULL, isSpan INTEGER NOT NULL,
  answer TEXT NOT NULL, page BLOB NOT NULL
) STRICT;
`

const IDENTITY = 'strategy, symbol, interval, code, data, config, fromTime, toTime, isSpan'
const TRIAL_PLACES = Array.from({ length: 16 }, () => '?').join()
const TRIAL_COLUMNS = `key, ${IDENTITY}, parameters, outcome, problem, figures, firstDay, dailyReturns`

/** Trials of the same strategy on the same data and span, whatever their code, configuration and parameters. */
export type SameData = Pick<TrialIdentity, 'strategy' | 'data' | 'from' | 'to' | 'isSpan'>

const SAME_DATA = 'strategy = ? AND data = ? AND fromTime = ? AND toTime = ? AND isSpan = ?'

/** Finished trials of a strategy and market that share time. */
const SHARING =
  'strategy = ?1 AND symbol = ?2 AND interval = ?3 AND fromTime < ?4 AND toTime > ?5 AND dailyReturns IS NOT NULL'

function dataValues({ strategy, data, from, to, isSpan }: SameData) {
  return [strategy, data, from, to, Number(isSpan)] as const
}

type Row = Record<string, SQLOutputValue>

/**
 * All trials of a project, in one SQLite file. Each write is on its own and whole: a process that dies loses none that was
 * written, and several processes may write at once.
 */
export class StudyFile {
  readonly #database: DatabaseSync
  /** Statements that are run to their end at once, compiled once. */
  readonly #statements = new Map<string, StatementSync>()

  /**
   * Opens a file, and makes it where there is none; with `readOnly` it must be there, and is never written to. Throws `UsageError`
   * for a file that is not a study.
   */
  constructor(path: string, { readOnly = false }: { readonly readOnly?: boolean } = {}) {
    this.#database = readOnly ? openedToRead(path) : opened(path)
  }

  /** The trial of a key. */
  trial(key: string): StudyTrial | undefined {
    const row = this.#statement(`SELECT ${TRIAL_COLUMNS} FROM trials WHERE key = ?`).get(key)
    return row && trialOf(row)
  }

  /** Keeps a trial; one of the same key stays as it is. */
  addTrial(trial: StudyTrial): void {
    const { key, parameters, outcome, problem, figures, firstDay, dailyReturns } = trial
    this.#statement(`INSERT OR IGNORE INTO trials (${TRIAL_COLUMNS}) VALUES (${TRIAL_PLACES})`).run(
      key,
      ...identityValues(trial),
      JSON.stringify(parameters),
      outcome,
      problem ?? null,
      figures === undefined ? null : JSON.stringify(figures),
      firstDay ?? null,
      dailyReturns === undefined ? null : bytesOf(dailyReturns),
    )
  }

  /** Keeps a search; one of the same id keeps its place, and takes the definition. */
  addSearch(search: StudySearch): void {
    this.#database
      .prepare(
        `INSERT INTO searches (id, ${IDENTITY}, definition) VALUES (?,?,?,?,?,?,?,?,?,?,?)
        ON CONFLICT (id) DO UPDATE SET definition = excluded.definition`,
      )
      .run(search.id, ...identityValues(search), JSON.stringify(search.definition))
  }

  /** Keeps which trial a search asked for at a number. */
  addAsked(search: string, number: number, key: string): void {
    this.#statement('INSERT OR IGNORE INTO asked VALUES (?, ?, ?)').run(search, number, key)
  }

  /** Number of trials that a search has: one more than the number of its last one. */
  trialsAsked(search: string): number {
    return Number(
      this.#statement('SELECT MAX(number) + 1 AS trials FROM asked WHERE search = ?').get(search)?.trials,
    )
  }

  /** The latest search of `optimize` of a strategy on the same data: those of other commands name theirs. */
  latestSearch({ strategy, data, from, to }: SameData): StudySearch | undefined {
    const row = this.#database
      .prepare(
        `SELECT id, ${IDENTITY}, definition FROM searches WHERE strategy = ? AND data = ? AND fromTime = ? AND toTime = ?
        AND definition ->> 'command' IS NULL ORDER BY rowid DESC LIMIT 1`,
      )
      .get(strategy, data, from, to)
    return (
      row && { id: textOf(row, 'id'), ...identityOf(row), definition: JSON.parse(textOf(row, 'definition')) }
    )
  }

  /** Trials of the same strategy on the same data, one by one, in order of key. */
  *trialsOf(same: SameData): Generator<StudyTrial> {
    const rows = this.#inOrder(
      `SELECT rowid AS row FROM trials WHERE ${SAME_DATA} ORDER BY key`,
      TRIAL_COLUMNS,
      dataValues(same),
    )
    for (const row of rows) yield trialOf(row)
  }

  /** The best of the same trials by Sharpe ratio, those without one last, and equal ones in order of key. */
  bestOf(same: SameData, count: number): readonly StudyTrial[] {
    const rows = this.#inOrder(
      `SELECT rowid AS row FROM trials WHERE ${SAME_DATA} ORDER BY figures ->> 'sharpe' DESC NULLS LAST, key LIMIT ?`,
      TRIAL_COLUMNS,
      [...dataValues(same), count],
    )
    return Array.from(rows, trialOf)
  }

  /** The best of the same trials by Sharpe ratio of each configuration, the best of them first; those without a ratio are left out. */
  bestOfConfigs(same: SameData, count: number): readonly StudyTrial[] {
    const rows = this.#inOrder(
      `SELECT row FROM (
        SELECT row, key, sharpe, ROW_NUMBER() OVER (PARTITION BY config ORDER BY sharpe DESC, key) AS place FROM (
          SELECT rowid AS row, key, config, figures ->> 'sharpe' AS sharpe FROM trials WHERE ${SAME_DATA}
        ) WHERE sharpe IS NOT NULL
      ) WHERE place = 1 ORDER BY sharpe DESC, key LIMIT ?`,
      TRIAL_COLUMNS,
      [...dataValues(same), count],
    )
    return Array.from(rows, trialOf)
  }

  /**
   * The same in the order in which searches asked for them, each with its number in the first one; those that none asked for come
   * last, in the order in which they were kept.
   */
  *trialsInOrder(same: SameData): Generator<StudyTrial & { readonly number: number | undefined }> {
    const rows = this.#inOrder(
      `SELECT trials.rowid AS row, place FROM trials LEFT JOIN (
        SELECT key, MIN(searches.rowid * 4294967296 + number) AS place FROM asked JOIN searches ON id = search GROUP BY key
      ) USING (key) WHERE ${SAME_DATA} ORDER BY place IS NULL, place, trials.rowid`,
      `${TRIAL_COLUMNS}, place`,
      dataValues(same),
    )
    for (const row of rows) {
      const { place } = row
      yield { ...trialOf(row), number: typeof place === 'number' ? place % 2 ** 32 : undefined }
    }
  }

  /**
   * Columns of trials in the order of a query for the `row` of each. Only the rows are put in order, and then each trial is read once:
   * to order trials themselves, SQLite would write all of them to a temporary file.
   */
  #inOrder(rows: string, columns: string, values: readonly SQLInputValue[]): Iterable<Row> {
    return this.#database
      .prepare(
        `WITH ordered AS MATERIALIZED (${rows}) SELECT ${columns} FROM ordered CROSS JOIN trials ON trials.rowid = ordered.row`,
      )
      .iterate(...values)
  }

  /**
   * Daily returns of all finished trials of the same strategy and market whose klines share time with those of a trial, in order of
   * parameters and configuration. Beside a part of the data, trials on parts count, and those on all klines whose parameters no part has
   * (windows are played flat at their end, by a configuration of their own). A trial counts once where the same code played it on several data, or other code,
   * such as another version of Sluice, came to the same returns: of those, the one on the same data, otherwise the one that shares most.
   */
  *recordsBeside(trial: TrialIdentity): Generator<StudyReturns> {
    const { strategy, symbol, interval, from, to, isSpan } = trial
    const rows = this.#inOrder(
      `SELECT rowid AS row FROM trials WHERE ${SHARING} AND (isSpan = ?6 OR (
        isSpan < ?6 AND parameters NOT IN (SELECT parameters FROM trials WHERE ${SHARING} AND isSpan = ?6)
      )) ORDER BY parameters, config`,
      'parameters, config, code, data, fromTime, toTime, firstDay, dailyReturns',
      [strategy, symbol, interval, to, from, Number(isSpan)],
    )
    let [alike, inputs]: [KeptRecord[], string] = [[], '']
    for (const row of rows) {
      const { parameters, config, dailyReturns: bytes } = row
      if (!(bytes instanceof Uint8Array)) continue
      if (inputs !== `${parameters} ${config}`) {
        yield* distinctRecords(alike)
        ;[alike, inputs] = [[], `${parameters} ${config}`]
      }
      const [start, end] = [numberOf(row, 'fromTime'), numberOf(row, 'toTime')]
      const isSame = row.data === trial.data && start === from && end === to
      const shared = isSame ? Number.MAX_SAFE_INTEGER : Math.min(to, end) - Math.max(from, start)
      alike.push({ code: textOf(row, 'code'), shared, firstDay: numberOf(row, 'firstDay'), bytes })
    }
    yield* distinctRecords(alike)
  }

  /** Numbers of the searches that asked for a trial, each with the search, its seed and its sampler. */
  askedFor(
    key: string,
  ): readonly { readonly search: string; readonly number: number; readonly definition: unknown }[] {
    const rows = this.#statement(
      'SELECT search, number, definition FROM asked JOIN searches ON id = search WHERE key = ? ORDER BY search, number',
    ).all(key)
    return rows.map(row => ({
      search: textOf(row, 'search'),
      number: numberOf(row, 'number'),
      definition: JSON.parse(textOf(row, 'definition')),
    }))
  }

  /** Strategies and data of which there are trials, in order of strategy, symbol and time. */
  groups(): readonly TrialGroup[] {
    const rows = this.#database
      .prepare(
        `SELECT strategy, symbol, interval, data, fromTime, toTime, isSpan, SUM(outcome = 'finished') AS finished,
        SUM(outcome = 'failed') AS failed, MAX(figures ->> 'sharpe') AS bestSharpe,
        COUNT(DISTINCT code) AS codes, COUNT(DISTINCT config) AS configs FROM trials
        GROUP BY strategy, symbol, interval, data, fromTime, toTime, isSpan
        ORDER BY strategy, symbol, interval, fromTime, toTime, isSpan, data`,
      )
      .all()
    return rows.map(row => ({
      strategy: textOf(row, 'strategy'),
      symbol: textOf(row, 'symbol'),
      interval: textOf(row, 'interval'),
      data: textOf(row, 'data'),
      from: numberOf(row, 'fromTime'),
      to: numberOf(row, 'toTime'),
      isSpan: row.isSpan === 1,
      finished: numberOf(row, 'finished'),
      failed: numberOf(row, 'failed'),
      bestSharpe: row.bestSharpe === null ? null : numberOf(row, 'bestSharpe'),
      ...{ codes: numberOf(row, 'codes'), configs: numberOf(row, 'configs') },
    }))
  }

  /** Keeps a verdict with its page of HTML; one of the same id is replaced. */
  addVerdict(verdict: StudyVerdict, page: string): void {
    this.#database
      .prepare(
        `INSERT OR REPLACE INTO verdicts (id, ${IDENTITY}, answer, page) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)`,
      )
      .run(verdict.id, ...identityValues(verdict), verdict.answer, gzipSync(page))
  }

  /** All verdicts, the latest last. */
  verdicts(): readonly StudyVerdict[] {
    if (!this.#hasVerdicts()) return []
    const rows = this.#database.prepare(`SELECT id, ${IDENTITY}, answer FROM verdicts ORDER BY rowid`).all()
    return rows.map(row => ({
      id: textOf(row, 'id'),
      ...identityOf(row),
      answer: textOf(row, 'answer'),
    }))
  }

  /** The page of a verdict. */
  verdictPage(id: string): string | undefined {
    if (!this.#hasVerdicts()) return undefined
    const page = this.#database.prepare('SELECT page FROM verdicts WHERE id = ?').get(id)?.page
    return page instanceof Uint8Array ? gunzipSync(page).toString() : undefined
  }

  /** False for a file from before there were verdicts, which is only read. */
  #hasVerdicts(): boolean {
    return this.#statement("SELECT 1 FROM sqlite_schema WHERE name = 'verdicts'").get() !== undefined
  }

  close(): void {
    this.#database.close()
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

function opened(path: string): DatabaseSync {
  return usable(path, () => {
    mkdirSync(dirname(path), { recursive: true })
    const database = new DatabaseSync(path, { timeout: WAIT_MS })
    // Written once with each commit; the death of a process loses no commit.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;')
    database.exec('BEGIN IMMEDIATE')
    const version = versionOf(database)
    if (version === 0 && isEmpty(database)) database.exec(TABLES)
    if (version === 0 || version === VERSION) database.exec(LATER_TABLES)
    database.exec('COMMIT')
    return database
  })
}

function openedToRead(path: string): DatabaseSync {
  return usable(path, () => new DatabaseSync(path, { timeout: WAIT_MS, readOnly: true }))
}

/** A database that is a study of this version. */
function usable(path: string, open: () => DatabaseSync): DatabaseSync {
  try {
    const database = open()
    const version = versionOf(database)
    if (version === VERSION) return database
    database.close()
    throw new UsageError(
      `${path} is a study of version ${version}, and this Sluice reads version ${VERSION}; give another file with --study.`,
    )
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(
      `${path} cannot be used as a study file (${reason}); give another one with --study, such as a new one.`,
      cause,
    )
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version)
}

function isEmpty(database: DatabaseSync): boolean {
  if (database.prepare('SELECT COUNT(*) AS tables FROM sqlite_schema').get()?.tables === 0) return true
  throw new Error('it has tables of another program')
}

function identityValues({ strategy, symbol, interval, code, data, config, from, to, isSpan }: TrialIdentity) {
  return [strategy, symbol, interval, code, data, config, from, to, Number(isSpan)] as const
}

function identityOf(row: Row): TrialIdentity {
  return {
    strategy: textOf(row, 'strategy'),
    symbol: textOf(row, 'symbol'),
    interval: textOf(row, 'interval'),
    code: textOf(row, 'code'),
    data: textOf(row, 'data'),
    config: textOf(row, 'config'),
    from: numberOf(row, 'fromTime'),
    to: numberOf(row, 'toTime'),
    isSpan: row.isSpan === 1,
  }
}

function trialOf(row: Row): StudyTrial {
  const { problem, figures, firstDay, dailyReturns } = row
  return {
    key: textOf(row, 'key'),
    ...identityOf(row),
    parameters: JSON.parse(textOf(row, 'parameters')),
    outcome: row.outcome === 'failed' ? 'failed' : 'finished',
    ...(typeof problem === 'string' && { problem }),
    ...(typeof figures === 'string' && { figures: JSON.parse(figures) }),
    ...(typeof firstDay === 'number' && { firstDay }),
    ...(dailyReturns instanceof Uint8Array && { dailyReturns: numbersOf(dailyReturns) }),
  }
}

/** Daily returns of a trial as they are kept. */
interface KeptRecord {
  readonly code: string
  /** Time that its klines share with those of the other trial, ms; more than any on the same data. */
  readonly shared: number
  readonly firstDay: number
  readonly bytes: Uint8Array
}

/**
 * One record of each trial among records of the same parameters and configuration: those of the same code are one trial, and so are
 * those of the same returns. What shares most time comes first, and of equals the smaller bytes.
 */
function* distinctRecords(all: readonly KeptRecord[]): Generator<StudyReturns> {
  const ordered = all.toSorted(
    (left, right) => right.shared - left.shared || Buffer.compare(left.bytes, right.bytes),
  )
  const merged = new Set<KeptRecord>()
  for (const record of ordered) {
    if (merged.has(record)) continue
    const same = [record]
    for (const one of same) {
      const more = ordered.filter(other => !merged.has(other) && !same.includes(other) && areSame(one, other))
      same.push(...more)
    }
    for (const one of same) merged.add(one)
    yield { firstDay: record.firstDay, dailyReturns: numbersOf(record.bytes) }
  }
}

function areSame(left: KeptRecord, right: KeptRecord): boolean {
  if (left.code === right.code) return true
  return left.firstDay === right.firstDay && Buffer.compare(left.bytes, right.bytes) === 0
}

function textOf(row: Row, column: string): string {
  return String(row[column])
}

function numberOf(row: Row, column: string): number {
  return Number(row[column])
}

/** Doubles as little-endian bytes. */
function bytesOf(numbers: Float64Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * numbers.length))
  for (let index = 0; index < numbers.length; index++)
    view.setFloat64(8 * index, numbers[index] as number, true) // inside the bounds
  return new Uint8Array(view.buffer)
}

function numbersOf(bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const numbers = new Float64Array(bytes.byteLength / 8)
  for (let index = 0; index < numbers.length; index++) numbers[index] = view.getFloat64(8 * index, true)
  return numbers
}

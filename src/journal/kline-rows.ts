import type { DatabaseSync } from 'node:sqlite'
import { CHAIN_START, klinesHash } from './chain-hash.ts'
import type { KlineBlock } from './journal-entry.ts'

/** Result of a check of the klines. */
export interface CheckedKlines {
  readonly blocks: readonly KlineBlock[]
  /** Hash of the last row. */
  readonly hash: string
  readonly problem: string | undefined
}

/** Klines up to an entry, verified row by row. */
export function klinesUpTo(database: DatabaseSync, seq: number): CheckedKlines {
  const blocks: KlineBlock[] = []
  let before = CHAIN_START
  const rows = database
    .prepare('SELECT seq, series, data, hash FROM klines WHERE seq <= ? ORDER BY number')
    .iterate(seq)
  for (const row of rows) {
    const data = row.data as Uint8Array // a BLOB column of a STRICT table, as are the types below
    const series = String(row.series)
    if (klinesHash(before, Number(row.seq), series, data) !== row.hash) {
      return {
        blocks,
        hash: before,
        problem: `the klines of ${series} kept at entry ${row.seq} are not what was written`,
      }
    }
    before = row.hash
    blocks.push({ series, values: doublesIn(data) })
  }
  return { blocks, hash: before, problem: undefined }
}

/** Appends klines, and returns the hash of the last row. */
export function appendKlines(
  database: DatabaseSync,
  blocks: readonly KlineBlock[],
  seq: number,
  before: string,
): string {
  const insert = database.prepare('INSERT INTO klines (seq, series, data, hash) VALUES (?, ?, ?, ?)')
  let hash = before
  for (const { series, values } of blocks) {
    const data = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    hash = klinesHash(hash, seq, series, data)
    insert.run(seq, series, data, hash)
  }
  return hash
}

/** Hash of the latest row, unverified. */
export function latestKlinesHash(database: DatabaseSync): string {
  const row = database.prepare('SELECT hash FROM klines ORDER BY number DESC LIMIT 1').get()
  return row === undefined ? CHAIN_START : String(row.hash)
}

/** A blob may begin anywhere in memory, doubles need a multiple of eight. */
function doublesIn(data: Uint8Array): Float64Array {
  return new Float64Array(data.slice().buffer)
}

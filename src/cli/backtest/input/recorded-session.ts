import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DataSource } from '../../../../backtest/manifest/manifest.ts'
import type { JudgedGaps, TickData } from '../../../../backtest/ticks/tick-data.ts'
import { RECORDED_VENUE, SESSION_FILE } from '../../../bot/paper/paper-session.ts'
import { sessionGaps, sessionRows } from '../../../bot/paper/read-session.ts'
import type { Instrument } from '../../../domain/instrument.ts'
import { stampIn } from '../../../klines/formats/book-columns.ts'
import { sha256Of } from '../../../klines/formats/data-file.ts'

/** Settings and instruments of a recorded session, in the words of a backtest. */
export interface KnownSession {
  readonly orders: NonNullable<TickData['session']>
  readonly gaps: TickData['gaps']
  /** Levels asked for with each order book. */
  readonly levels: number | undefined
  readonly source: DataSource
}

/**
 * The paper session whose record is the store, if it is one: its orders arrive again when they arrived, and its gaps are
 * judged when they were. Rejects with `UsageError` for a damaged one.
 */
export async function recordedSession(
  store: string,
  venue: string,
  { symbol }: Pick<Instrument, 'symbol'>,
): Promise<KnownSession | undefined> {
  const path = join(store, SESSION_FILE)
  if (venue !== RECORDED_VENUE || !existsSync(path)) return undefined
  const rows = sessionRows(store)
  const levels = rows.findLast(row => row.type === 'start')?.levels
  const sha256 = await sha256Of(path)
  return {
    orders: { id: sha256, rows: rows.filter(row => row.type !== 'start') },
    gaps: judgedGaps(store, symbol),
    levels,
    source: { path, sha256, klines: rows.length },
  }
}

function judgedGaps(store: string, symbol: string): JudgedGaps {
  const gaps = sessionGaps(store, symbol)
  const stamps = gaps.map(({ stamp }) => stampIn(stamp) ?? [Number.NaN, Number.NaN])
  return {
    arrival: { ms: Float64Array.from(stamps, ([ms]) => ms), ns: Float64Array.from(stamps, ([, ns]) => ns) },
    gaps,
  }
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DataSource } from '../../../../backtest/manifest/manifest.ts'
import { sessionArrivals } from '../../../../backtest/ticks/session-arrivals.ts'
import type { TickData } from '../../../../backtest/ticks/tick-data.ts'
import { RECORDED_VENUE, SESSION_FILE } from '../../../bot/paper/paper-session.ts'
import { sessionRows } from '../../../bot/paper/read-session.ts'
import type { Instrument } from '../../../domain/instrument.ts'
import { sha256Of } from '../../../klines/formats/data-file.ts'

/** A session whose orders are known, in the words of a backtest. */
export interface RecordedOrders {
  readonly arrivals: TickData['arrivals']
  /** Levels asked for with each order book. */
  readonly levels: number | undefined
  readonly source: DataSource
}

/**
 * The paper session whose record is the store, if it is one: its orders arrive again when they arrived. Rejects with
 * `UsageError` for a damaged one.
 */
export async function recordedSession(
  store: string,
  venue: string,
  instrument: Instrument,
  latencyMs: number,
): Promise<RecordedOrders | undefined> {
  const path = join(store, SESSION_FILE)
  if (venue !== RECORDED_VENUE || !existsSync(path)) return undefined
  const rows = sessionRows(store)
  const orders = rows.filter(row => row.type !== 'start')
  const levels = rows.findLast(row => row.type === 'start')?.levels
  return {
    arrivals: sessionArrivals(orders, instrument.symbol, instrument, latencyMs),
    levels,
    source: { path, sha256: await sha256Of(path), klines: rows.length },
  }
}

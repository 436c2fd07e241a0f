import type { ArrivalColumns, BookColumns, RecordedTrades } from '../../src/klines/formats/book-columns.ts'
import type { MarkColumns } from '../../src/klines/record/recorded-marks.ts'
import type { SessionRow } from '../../src/matching/session-row.ts'
import type { ToldMinute } from '../../src/matching/told-market.ts'

/** Recorded data of a market, each kind in the order in which it became known. */
export interface TickData {
  /** Each public trade, ascending by time; none of a market that tells none. */
  readonly trades: RecordedTrades
  /** Order books; without them, trades are all that is known. */
  readonly books?: BookColumns | undefined
  /** Mark prices of a contract. */
  readonly marks?: MarkColumns | undefined
  /** Spans without trades. */
  readonly gaps?: JudgedGaps | undefined
  /** A recorded session whose orders arrive when they arrived there; default: by the latency of the settings. */
  readonly session?: SessionOrders | undefined
}

/** The orders of a recorded session. */
export interface SessionOrders {
  /** Differs between sessions. */
  readonly id: string
  readonly rows: readonly SessionRow[]
}

/** Spans of which trades are unknown, with the minutes that judge resting orders. */
export interface JudgedGaps {
  readonly arrival: ArrivalColumns
  readonly gaps: readonly JudgedGap[]
}

/** One span, ms UTC, and the minutes that it touches. */
export interface JudgedGap {
  readonly from: number
  readonly until: number
  /** One sentence. */
  readonly reason: string
  readonly minutes: readonly ToldMinute[]
}

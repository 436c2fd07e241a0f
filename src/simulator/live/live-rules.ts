import type { QueueAssumption } from '../../matching/queue-assumption.ts'
import type { SessionRow } from '../../matching/session-row.ts'

/** Rules of all observed markets of an exchange. */
export interface LiveRules {
  readonly queue: QueueAssumption
  /** When an order or cancel that is sent at a time (ms UTC) reaches the market. */
  readonly arrivalAt: (now: number) => number
  /** Takes each row of the session. */
  readonly note: (row: SessionRow) => void
}

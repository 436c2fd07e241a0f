import type { DatabaseSync } from 'node:sqlite'
import type { EngineOutput } from '../domain/events/engine-output.ts'
import { isWorking, type OrderStatus } from '../domain/orders/order-status.ts'
import { fromJournalText } from './journal-text.ts'

/** An order that the exchange may know. */
interface WorkingOrder {
  readonly clientOrderId: string
  readonly symbol: string
}

/** Orders of the last session of a journal of version 1 that were not over at its end; sessions before it were not continued. */
export function workingOrdersIn(database: DatabaseSync): readonly WorkingOrder[] {
  const statuses = new Map<string, { readonly order: WorkingOrder; readonly status: OrderStatus }>()
  const rows = database
    .prepare(
      "SELECT decisions FROM entries WHERE decisions IS NOT NULL AND seq > (SELECT max(seq) FROM entries WHERE kind = 'session') ORDER BY seq",
    )
    .iterate()
  for (const { decisions } of rows) {
    // Decisions are outputs of the engine.
    for (const output of fromJournalText(String(decisions)) as readonly EngineOutput[]) {
      const change = changeOf(output)
      if (change !== undefined) statuses.set(change.order.clientOrderId, change)
    }
  }
  return [...statuses.values()].filter(({ status }) => isWorking(status)).map(({ order }) => order)
}

/** Time of the latest entry, ms UTC; 0 without one. */
export function lastTimeIn(database: DatabaseSync): number {
  return Number(database.prepare('SELECT max(time) AS time FROM entries').get()?.time ?? 0)
}

function changeOf(output: EngineOutput) {
  switch (output.type) {
    case 'placeOrder':
      return { order: orderOf(output.request), status: 'pending' as const }
    case 'orderChanged':
    case 'fillBooked':
      return { order: orderOf(output.order.request), status: output.order.status }
    default:
      return undefined
  }
}

function orderOf({ clientOrderId, symbol }: WorkingOrder): WorkingOrder {
  return { clientOrderId, symbol }
}

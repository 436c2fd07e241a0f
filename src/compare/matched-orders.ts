import { CLIENT_ORDER_ID_OWNER_LENGTH } from '../domain/orders/client-order-id.ts'
import type { RecordedOrder } from './trading-record.ts'

/** An order of both runs, or of one of them. */
export interface OrderPair {
  readonly live: RecordedOrder | undefined
  readonly backtest: RecordedOrder | undefined
}

/** Parts of both runs that are compared: decided before the end of the klines of their book. */
export type IsCompared = (order: RecordedOrder) => boolean

/** Identity of a decision in any session: its owner, its market time, and its place among orders of that time. */
export function decisionKey(clientOrderId: string): string {
  return (
    clientOrderId.slice(0, CLIENT_ORDER_ID_OWNER_LENGTH) + clientOrderId.slice(clientOrderId.indexOf('-'))
  )
}

/**
 * Pairs the orders of both runs: those of the same decision; protective orders of paired entries, in their order; then,
 * of each book, what was decided alike at about the same time. Oldest first.
 */
export function matchedOrders(
  live: ReadonlyMap<string, RecordedOrder>,
  backtest: ReadonlyMap<string, RecordedOrder>,
  isCompared: IsCompared,
  intervalOf: (book: string) => number,
): readonly OrderPair[] {
  const lives = keyed([...live.values()].filter(isCompared))
  const others = keyed([...backtest.values()].filter(isCompared))
  const pairs: OrderPair[] = []
  const [onlyLive, onlyBacktest]: [RecordedOrder[], RecordedOrder[]] = [[], []]
  for (const [key, order] of lives) {
    const other = others.get(key)
    if (other !== undefined && isAlike(order, other)) pairs.push({ live: order, backtest: other })
    else onlyLive.push(order)
  }
  const taken = new Set(pairs.map(pair => pair.backtest))
  for (const order of others.values()) if (!taken.has(order)) onlyBacktest.push(order)
  for (const order of onlyLive) {
    const place = onlyBacktest.findIndex(
      other =>
        isAlike(order, other) &&
        Math.abs(order.request.decidedAt - other.request.decidedAt) < intervalOf(order.book),
    )
    pairs.push({ live: order, backtest: onlyBacktest.splice(place, place < 0 ? 0 : 1)[0] })
  }
  for (const order of onlyBacktest) pairs.push({ live: undefined, backtest: order })
  return pairs.sort((left, right) => decidedAt(left) - decidedAt(right))
}

/** Market time of the decision, ms UTC. */
function decidedAt({ live, backtest }: OrderPair): number {
  return (live ?? backtest)?.request.decidedAt ?? Number.NaN
}

function isAlike(left: RecordedOrder, right: RecordedOrder): boolean {
  return (
    left.book === right.book &&
    left.request.side === right.request.side &&
    left.request.purpose === right.request.purpose
  )
}

/** Orders by their decision; protective ones by that of their entry, because they are decided at its fills. */
function keyed(orders: readonly RecordedOrder[]): Map<string, RecordedOrder> {
  const found = new Map<string, RecordedOrder>()
  for (const order of orders) {
    const { clientOrderId, protects, purpose } = order.request
    const key = protects === undefined ? decisionKey(clientOrderId) : `${decisionKey(protects)} ${purpose}`
    let number = 0
    while (found.has(`${key} ${number}`)) number++
    found.set(`${key} ${number}`, order)
  }
  return found
}

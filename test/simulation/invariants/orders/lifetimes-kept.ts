import { closeTimeOf } from '../../../../src/domain/market-data/interval.ts'
import type { OrderRequest } from '../../../../src/domain/orders/order-request.ts'
import { DECISION_INTERVAL, type Past } from '../past.ts'
import type { Moment, Violation } from '../scene.ts'

/** When a kline that strategies decide on closes, every order of its symbol is taken back whose time to live is over. */
export function lifetimesKept({ event, decisions, ledger, after }: Moment): readonly Violation[] {
  if (event.type !== 'klineClosed' || event.interval !== DECISION_INTERVAL) return []
  const { symbol, kline, interval } = event
  const time = closeTimeOf(kline.openTime, interval)
  return ledger.orders.working.flatMap(({ request }) => {
    if (request.symbol !== symbol || !isOver(request, time, after)) return []
    const about = request.clientOrderId
    const isTaken = decisions.some(
      decision => decision.type === 'cancelOrder' && decision.clientOrderId === about,
    )
    return isTaken ? [] : [{ problem: `the time to live of ${about} is over, but it rests`, about }]
  })
}

/** Whether the time to live of an order is over when a kline closes at `time`, ms UTC. */
function isOver(request: OrderRequest, time: number, { closes, placedAfter }: Past): boolean {
  const { clientOrderId, terms, decidedAt, symbol } = request
  const life = terms?.expiresAfter
  if (life === undefined) return false
  if ('ms' in life) return time >= decidedAt + life.ms
  const before = placedAfter.get(clientOrderId)
  const since = [...(closes.get(symbol) ?? [])].filter(close => close > decidedAt && !before?.has(close))
  return since.length >= life.klines
}

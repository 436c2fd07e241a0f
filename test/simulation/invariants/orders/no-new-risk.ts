import { bookOf, wholeBook } from '../../../../src/domain/book-names.ts'
import { closeTimeOf } from '../../../../src/domain/market-data/interval.ts'
import type { OrderRequest } from '../../../../src/domain/orders/order-request.ts'
import type { Past } from '../past.ts'
import { protectionHolds } from '../protection/protection-holds.ts'
import type { GivenRisk, Moment, Violation } from '../scene.ts'

const STRICTNESS = ['active', 'reducing', 'halted'] as const

/** How strictly an order is held back: by commands, by what nobody can explain, and by protections of the account or its strategy. */
export function modeFor(
  request: Pick<OrderRequest, 'symbol' | 'book'>,
  { heldBack, facts, now }: Past,
  { account, strategies }: GivenRisk,
): (typeof STRICTNESS)[number] {
  const { symbol } = request
  const book = wholeBook(bookOf(request))
  const commanded = heldBack.modeOf(symbol, now)
  const holds = [
    ...protectionHolds(facts, account.protections ?? {}, {}, now),
    ...protectionHolds(facts, strategies.get(book)?.protections ?? {}, { symbol, book }, now),
  ]
  const modes = [commanded === 'paused' ? 'reducing' : commanded, ...holds.map(({ mode }) => mode)]
  return STRICTNESS[Math.max(...modes.map(mode => STRICTNESS.indexOf(mode)))] ?? 'active'
}

/** While trading is held back only what reduces is decided; while it is halted only what protects, and what an operator closes. Where nothing holds it back, nothing is denied for that. */
export function noNewRisk(moment: Moment): readonly Violation[] {
  return [...wronglyPlaced(moment), ...wronglyDenied(moment)]
}

function wronglyPlaced({ decisions, after, risk }: Moment): readonly Violation[] {
  return decisions.flatMap(decision => {
    if (decision.type !== 'placeOrder') return []
    const { clientOrderId, symbol } = decision.request
    const mode = modeFor(decision.request, after, risk)
    return passes(decision.request, mode)
      ? []
      : [{ problem: `order ${clientOrderId} was decided while ${symbol} is ${mode}`, about: clientOrderId }]
  })
}

/**
 * What a late fill held back for a time that is over already is only known to be over at the next event; klines that come late
 * are decided on at their own times, and what the first of them holds back ends with one that closes as late.
 */
function wronglyDenied({ event, decisions, after: known, risk }: Moment): readonly Violation[] {
  if (event.type === 'filled' || event.type === 'liquidated') return []
  const after =
    'kline' in event ? { ...known, now: closeTimeOf(event.kline.openTime, event.interval) } : known
  return decisions.flatMap(decision => {
    if (decision.type !== 'denied' || decision.denial.rule !== 'tradingState') return []
    const { clientOrderId: about } = decision.denial.intent
    if (modeFor(decision.denial.intent, after, risk) !== 'active') return []
    return [{ problem: `order ${about} was denied although nothing holds trading back`, about }]
  })
}

/** Whether an order may be decided. */
function passes({ reduceOnly, protects, purpose }: OrderRequest, mode: (typeof STRICTNESS)[number]): boolean {
  if (mode === 'active') return true
  return mode === 'halted' ? protects !== undefined || purpose === 'operator' : reduceOnly
}

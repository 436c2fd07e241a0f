import { bookOf } from '../../../../src/domain/book-names.ts'
import type { OrderRequest } from '../../../../src/domain/orders/order-request.ts'
import { entrySideOf } from '../../../../src/domain/orders/side.ts'
import type { Signal } from '../../../../src/domain/signal.ts'
import type { Moment, Violation } from '../scene.ts'

/** What takes orders back that no signal says. */
const FROM_ABOVE: ReadonlySet<string> = new Set([
  'tradingStateChanged',
  'instrumentHalted',
  'strategyFailed',
  'positionLiquidated',
])

/** A decision to enter leaves no resting entry of before, but those that are to be kept; and these only go where a decision says so. */
export function entriesReplaced(moment: Moment): readonly Violation[] {
  const { event, decisions, ledger, after } = moment
  if (event.type === 'tradingCommanded' || event.type === 'flattenRequested') return []
  if (decisions.some(({ type }) => FROM_ABOVE.has(type))) return []
  const placed = new Set(
    decisions.flatMap(decision => (decision.type === 'placeOrder' ? [decision.request.clientOrderId] : [])),
  )
  return ledger.orders.working.flatMap(({ request }) => {
    const { clientOrderId: about, terms, strategy, symbol, purpose, spec } = request
    if (purpose !== 'entry' || spec.type === 'market' || placed.has(about)) return []
    const signals = decisions.flatMap(decision =>
      decision.type === 'signaled' && decision.strategy === strategy && decision.symbol === symbol
        ? [decision.signal]
        : [],
    )
    const goes = signals.some(signal => takesBack(signal, request))
    const isCanceled = after.canceled.has(about)
    if (goes && !isCanceled) return [{ problem: `entry ${about} of ${bookOf(request)} stays`, about }]
    const isTaken = decisions.some(
      decision =>
        decision.type === 'cancelOrder' && decision.clientOrderId === about && decision.cause === undefined,
    )
    return isTaken && !goes && terms?.quotes === undefined
      ? [{ problem: `entry ${about} of ${bookOf(request)} is taken back`, about }]
      : []
  })
}

/** Whether a signal takes a resting entry back; a set of quotes is kept alive by itself. */
function takesBack(signal: Signal<string>, { terms, tag, side }: OrderRequest): boolean {
  const isQuote = terms?.quotes !== undefined
  switch (signal.type) {
    case 'enter':
      return !isQuote && (terms?.keep !== true || (signal.tag !== undefined && signal.tag === tag))
    case 'cancelEntries':
      return !isQuote && (signal.tag === undefined || signal.tag === tag)
    case 'exit':
      if (signal.direction !== undefined && side !== entrySideOf(signal.direction)) return false
      return (signal.fraction ?? 1) === 1
    case 'target':
      return true
    case 'protect':
    case 'quotes':
      return false
  }
}

import { bookOf } from '../../../../src/domain/book-names.ts'
import type { EngineEvent } from '../../../../src/domain/events/engine-event.ts'
import type { EngineOutput } from '../../../../src/domain/events/engine-output.ts'
import type { Interval } from '../../../../src/domain/market-data/interval.ts'
import { openQuantityOf } from '../../../../src/domain/orders/order.ts'
import type { OrderRequest } from '../../../../src/domain/orders/order-request.ts'
import { exitSideOf, type Side } from '../../../../src/domain/orders/side.ts'
import type { Signal } from '../../../../src/domain/signal.ts'
import type { Ledger } from '../../../../src/ledger/ledger.ts'

/** A position that a strategy closes in full by orders at market, until it is closed or the strategy has decided otherwise. */
export interface ToldExit {
  readonly strategy: string
  readonly symbol: string
  readonly side: Side
  /** Time of the first of these orders, ms UTC. */
  readonly since: number
  /** Time of the latest of them. */
  readonly sentAt: number
  /** Klines of its symbol that have closed one after the other while no order for it was on its way. */
  readonly idleCloses: number
  /** True if a rule of the bot has denied its latest order. */
  readonly isDenied: boolean
}

/** By book. */
export type ToldExits = ReadonlyMap<string, ToldExit>

/** Exits in full after another event; `time` is ms UTC, and the klines of `interval` count. */
export function toldExitsAfter(
  before: ToldExits,
  event: EngineEvent,
  decisions: readonly EngineOutput[],
  ledger: Ledger,
  { time, interval }: { readonly time: number; readonly interval: Interval },
): ToldExits {
  const placed = decisions.flatMap(decision =>
    decision.type === 'placeOrder' && isExit(decision.request) ? [bookOf(decision.request)] : [],
  )
  if (before.size === 0 && placed.length === 0) return before
  const after = new Map([...before].filter(one => goesOn(one, event, decisions, ledger)))
  for (const decision of decisions) {
    if (decision.type !== 'denied' || decision.denial.intent.purpose !== 'exit') continue
    const told = after.get(bookOf(decision.denial.intent))
    if (told !== undefined) after.set(bookOf(decision.denial.intent), { ...told, isDenied: true })
  }
  for (const decision of decisions) {
    if (decision.type !== 'placeOrder' || !isExit(decision.request)) continue
    const book = bookOf(decision.request)
    const { strategy, symbol, side } = decision.request
    const held = ledger.position(book)
    if (held === undefined || exitSideOf(held.direction) !== side || onItsWay(ledger, book) < held.quantity)
      continue
    const since = after.get(book)?.since ?? time
    after.set(book, { strategy, symbol, side, since, sentAt: time, idleCloses: 0, isDenied: false })
  }
  if (event.type === 'klineClosed' && event.interval === interval)
    for (const [book, told] of after)
      if (told.symbol === event.symbol)
        after.set(book, { ...told, idleCloses: onItsWay(ledger, book) > 0 ? 0 : told.idleCloses + 1 })
  return after
}

/** Steps that exits of a book may still trade. */
export function onItsWay(ledger: Ledger, book: string): number {
  return ledger.orders.working
    .filter(({ request }) => isExit(request) && bookOf(request) === book)
    .reduce((sum, order) => sum + openQuantityOf(order), 0)
}

function isExit({ purpose, spec }: OrderRequest): boolean {
  return purpose === 'exit' && spec.type === 'market'
}

/** True if an exit is still to be done, as far as this event tells. */
function goesOn(
  [book, told]: readonly [string, ToldExit],
  event: EngineEvent,
  decisions: readonly EngineOutput[],
  ledger: Ledger,
): boolean {
  const { symbol, side, strategy } = told
  const held = ledger.position(book)
  if (held === undefined || exitSideOf(held.direction) !== side) return false
  const isClosed = event.type === 'tradingCommanded' || event.type === 'flattenRequested'
  if (isClosed && (event.symbol === undefined || event.symbol === symbol)) return false
  return !decisions.some(decision => {
    switch (decision.type) {
      case 'signaled':
        return (
          decision.strategy === strategy && decision.symbol === symbol && takesItsPlace(decision.signal, side)
        )
      case 'fillBooked':
        // It closes no more than it said, and this is more.
        return decision.order.request.purpose === 'entry' && bookOf(decision.order.request) === book
      case 'strategyFailed':
      case 'strategyEnded':
        return decision.symbol === symbol || decision.book === book
      case 'instrumentHalted':
        return decision.symbol === symbol
      default:
        return false
    }
  })
}

/** A target, another exit in full, or an entry at market in the direction of the position. */
function takesItsPlace(signal: Signal<string>, side: Side): boolean {
  switch (signal.type) {
    case 'target':
      return true
    case 'exit':
      return (signal.fraction ?? 1) === 1
    case 'enter':
      return (
        (signal.order === undefined || signal.order.type === 'market') &&
        exitSideOf(signal.direction) === side
      )
    default:
      return false
  }
}

import type { Logger } from 'pino'
import type { BotConfig } from '../../config/bot-config.ts'
import type { Engine } from '../../engine/engine.ts'
import { heldTexts } from './left-behind.ts'

/** Logs that a closing, or an exit of a strategy, of the last session goes on, where anything is held that it concerns. */
export function logClosing(log: Logger, engine: Engine): void {
  const exiting = engine.unfinishedExits.map(({ symbol }) => symbol)
  const held = heldTexts(engine, new Set([...engine.closing, ...exiting]))
  if (held.length > 0) log.warn({ held: held.join(', ') }, 'a closing goes on')
}

/** Logs what the end of a bot left undone: orders without a confirmed end, and positions that were to be closed. */
export function logUndone(log: Logger, engine: Engine, liveOrders: number): void {
  if (liveOrders > 0) log.error({ orders: liveOrders }, 'left with unconfirmed orders')
  const held = heldTexts(engine, engine.closing)
  if (held.length === 0) return
  log.error(
    { held: held.join(', '), why: reasonOf(engine, liveOrders) },
    'positions were not closed before the end',
  )
}

function reasonOf({ ledger }: Engine, liveOrders: number): string {
  if (liveOrders > 0) return 'nobody knows yet what became of the order that closes it.'
  const refused = ledger.orders.remembered.findLast(
    ({ request, status }) => request.purpose === 'operator' && status === 'rejected',
  )
  return refused?.reason ?? 'no order for it has left in time.'
}

/** Time that the answer to a second closing order takes at most, ms. */
const ANSWERED_WITHIN_MS = 5000

/** Warns where a bot that closes everything at its end has no time for a second order after one without an answer. */
export function logLittleTime(
  log: Logger,
  { venue, execution }: Pick<BotConfig, 'venue' | 'execution'>,
): void {
  const { onStop, stopWithinMs, settlementMarginMs } = execution
  if (venue.type !== 'exchange' || onStop !== 'flatten') return
  const doubtMs = venue.recvWindowMs + settlementMarginMs
  if (stopWithinMs < doubtMs + ANSWERED_WITHIN_MS) log.warn({ stopWithinMs, doubtMs }, 'little time to leave')
}

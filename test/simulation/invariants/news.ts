import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'

/** News of the market: they change no account. */
const NEWS: ReadonlySet<EngineEvent['type']> = new Set([
  'klineClosed',
  'tickerSeen',
  'depthSeen',
  'publicTradeSeen',
  'indexPriceSeen',
  'fundingRateSeen',
  'trailingStopMoved',
])

/** Tells events that leave the account as it is from the others. */
export function isNews({ type }: EngineEvent): boolean {
  return NEWS.has(type) || type.startsWith('timer')
}

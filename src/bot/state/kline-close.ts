import type { EngineEvent } from '../../domain/events/engine-event.ts'
import { closeTimeOf } from '../../domain/market-data/interval.ts'
import type { NewEntry } from '../../journal/journal.ts'

/** Close time of the kline that an entry tells, ms UTC; `undefined` of another entry. */
export function klineCloseOf({ kind, body }: NewEntry): number | undefined {
  const event = kind === 'event' ? (body as EngineEvent) : undefined // what `RecordedEngine` writes
  if (event?.type !== 'klineClosed') return undefined
  return closeTimeOf(event.kline.openTime, event.interval)
}

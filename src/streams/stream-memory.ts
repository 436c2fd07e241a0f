import type { Parameters } from '../strategy/parameters.ts'
import type { VersionedState } from '../strategy/strategy-state.ts'

/** What a journal is given to keep of streams. */
export type StreamMemory = MoreRemembered | KlinesRemembered

/** Stands for what streams remember where that is no plain data: no journal keeps it, but is run again as a whole instead. */
class MoreRemembered {}

/** Stands for what klines alone bring back: plain data, so that a journal goes on from it. */
interface KlinesRemembered {
  readonly streams: 'klines'
}

const BEGIN_ANEW = 'Begin a new journal once the account is flat.'
const OF_HANDLERS = `it is that of handlers, and the strategy is one of streams now. ${BEGIN_ANEW}`

/** The state of a strategy whose streams remember anything. */
export const MORE_REMEMBERED: VersionedState<Parameters, StreamMemory> = {
  version: 1,
  make: () => new MoreRemembered(),
  check(state) {
    if (state instanceof MoreRemembered) return undefined
    if (!isKlinesRemembered(state)) return OF_HANDLERS
    return `it is that of streams that remember klines only, and these remember more. ${BEGIN_ANEW}`
  },
}

/** The state of a strategy whose streams remember klines only. */
export const KLINES_REMEMBERED: VersionedState<Parameters, StreamMemory> = {
  version: 1,
  make: () => ({ streams: 'klines' }),
  check: state => (isKlinesRemembered(state) ? undefined : OF_HANDLERS),
}

function isKlinesRemembered(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'streams' in state && state.streams === 'klines'
}

import type { Parameters } from '../strategy/parameters.ts'
import { type VersionedState, WarmedMemory } from '../strategy/strategy-state.ts'

/** Journal state of streams. */
export type StreamMemory = MoreRemembered | KlinesRemembered

/**
 * Stands for memory that is not plain data: the journal does not store it, so a restart replays the whole
 * journal.
 */
class MoreRemembered extends WarmedMemory {}

/** Stands for memory that the klines alone restore: plain data, so that a restart can begin with it. */
interface KlinesRemembered {
  readonly streams: 'klines'
}

const BEGIN_ANEW = 'Begin a new journal once the account is flat.'
const OF_HANDLERS = `it is that of handlers, and the strategy is one of streams now. ${BEGIN_ANEW}`

/** State of a strategy whose streams may remember anything. */
export const MORE_REMEMBERED: VersionedState<Parameters, StreamMemory> = {
  version: 1,
  make: () => new MoreRemembered(),
  check(state) {
    if (state instanceof MoreRemembered) return undefined
    if (!isKlinesRemembered(state)) return OF_HANDLERS
    return `it is that of streams that remember klines only, and these remember more. ${BEGIN_ANEW}`
  },
}

/** State of a strategy whose streams remember klines only. */
export const KLINES_REMEMBERED: VersionedState<Parameters, StreamMemory> = {
  version: 1,
  make: () => ({ streams: 'klines' }),
  check: state => (isKlinesRemembered(state) ? undefined : OF_HANDLERS),
}

function isKlinesRemembered(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'streams' in state && state.streams === 'klines'
}

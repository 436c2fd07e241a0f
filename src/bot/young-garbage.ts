import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Real time between two times; a bot on a clock that runs fast asks more often. */
const EVERY_MS = 100

/**
 * Makes a function that frees what was held for a moment only. V8 does so when its room for new objects is full, which is
 * most likely while much happens at once, and then stops everything for some ms; freed in calm moments, the room lasts for
 * the next busy one. Asked again within a tenth of a second it does nothing. Node shows V8's own function to whoever asks for it by this flag.
 */
export function youngGarbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void // V8 documents this one option
  setFlagsFromString('--no-expose-gc')
  let collectedAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now - collectedAt < EVERY_MS) return
    collectedAt = now
    collect({ type: 'minor' })
  }
}

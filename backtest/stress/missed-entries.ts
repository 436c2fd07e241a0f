import { seededRandomAt } from '../../src/domain/numbers/seeded-random.ts'
import type { Strategy } from '../../src/strategy/define-strategy.ts'
import type { Signals } from '../../src/strategy/signals.ts'
import { WrappedRun } from '../run/wrapped-run.ts'

/** Entries that a strategy loses: to a bot that was down, or a market that did not come to the price. */
export interface MissedEntries {
  /** Fraction of the moments with entries at which they are missed. */
  readonly share: number
  readonly seed: string
  /** Counts what is missed; begins anew with each run. */
  readonly tally?: MissTally
}

/** Numbers of missed entries. */
export interface MissTally {
  /** Moments at which entries were missed. */
  missed: number
  /** Those of them after which the next kline has entries again: a rule that asks until it is in is late, and misses nothing. */
  askedAgain: number
}

/**
 * A strategy that misses entries: at drawn moments, what it decides to open (entries, targets other than flat) is dropped. The
 * draw depends on seed and market time alone. Exits and everything that protects are kept.
 */
export function missingEntries(
  strategy: Strategy,
  { share, seed, tally = { missed: 0, askedAgain: 0 } }: MissedEntries,
): Strategy {
  const streamAt = seededRandomAt(seed)
  return {
    ...strategy,
    start(given, view) {
      tally.missed = 0
      tally.askedAgain = 0
      let isWaiting = false
      return new WrappedRun(strategy.start(given, view), (handler, signals) => {
        const kept = signals === undefined ? undefined : withoutEntries(signals)
        const opens = signals !== undefined && kept !== signals
        if (opens && isWaiting) tally.askedAgain++
        if (opens || handler === 'onKline') isWaiting = false
        if (!opens || streamAt(view.time).uniform() >= share) return signals
        tally.missed++
        isWaiting = true
        return kept
      })
    },
  }
}

/** The signals that open nothing; the same object where all are such. */
function withoutEntries(signals: NonNullable<Signals<string>>): Signals<string> {
  const list = 'type' in signals ? [signals] : signals
  const kept = list.filter(signal => {
    if (signal.type === 'target') return Object.values(signal.size).every(size => size === 0)
    return signal.type !== 'enter' && signal.type !== 'quotes'
  })
  if (kept.length === list.length) return signals
  return kept.length === 0 ? undefined : kept
}

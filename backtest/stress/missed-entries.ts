import { seededRandomAt } from '../../src/domain/numbers/seeded-random.ts'
import type { Strategy } from '../../src/strategy/define-strategy.ts'
import type { Signals } from '../../src/strategy/signals.ts'
import { WrappedRun } from '../run/wrapped-run.ts'

/** Entries that a strategy loses: to a bot that was down, or a market that did not come to the price. */
export interface MissedEntries {
  /** Fraction of the moments with entries at which they are missed. */
  readonly share: number
  readonly seed: string
}

/**
 * A strategy that misses entries: at drawn moments, what it decides to open (entries, targets other than flat) is dropped. The
 * draw depends on seed and market time alone. Exits and everything that protects are kept.
 */
export function missingEntries(strategy: Strategy, { share, seed }: MissedEntries): Strategy {
  const streamAt = seededRandomAt(seed)
  return {
    ...strategy,
    start: (given, view) =>
      new WrappedRun(strategy.start(given, view), (_handler, signals) =>
        signals === undefined || streamAt(view.time).uniform() >= share ? signals : withoutEntries(signals),
      ),
  }
}

function withoutEntries(signals: NonNullable<Signals<string>>): Signals<string> {
  const list = 'type' in signals ? [signals] : signals
  const kept = list.filter(signal => {
    if (signal.type === 'target') return Object.values(signal.size).every(size => size === 0)
    return signal.type !== 'enter' && signal.type !== 'quotes'
  })
  return kept.length === 0 ? undefined : kept
}

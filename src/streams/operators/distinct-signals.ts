import { distinctUntilChanged, filter, type OperatorFunction } from 'rxjs'
import type { Signals } from '../../strategy/signals.ts'

/**
 * Leaves out signals that say what those before them said, and those that say nothing. A strategy that states its wish
 * (`targetPosition`, a limit entry) at every kline then states it only where it changes.
 */
export function distinctSignals(): OperatorFunction<Signals, NonNullable<Signals>> {
  return signals$ =>
    signals$.pipe(
      filter(signals => signals !== undefined),
      distinctUntilChanged((one, other) => JSON.stringify(one) === JSON.stringify(other)),
    )
}

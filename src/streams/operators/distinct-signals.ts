import { distinctUntilChanged, filter, type OperatorFunction } from 'rxjs'
import type { Signals } from '../../strategy/signals.ts'

/**
 * Drops signals equal to the previous ones, and empty ones. A strategy that emits its target
 * (`targetPosition`, a limit entry) at every kline then emits it only when it changes.
 */
export function distinctSignals(): OperatorFunction<Signals, NonNullable<Signals>> {
  return signals$ =>
    signals$.pipe(
      filter(signals => signals !== undefined),
      distinctUntilChanged((one, other) => JSON.stringify(one) === JSON.stringify(other)),
    )
}

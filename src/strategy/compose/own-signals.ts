import type { Signal } from '../../domain/signal.ts'
import type { Held } from './part.ts'
import { targetSideOf } from './sizing/target-exposure.ts'

/** True for a signal for the strategy's own instrument; parts apply only to it. */
export function isOwn(signal: Signal<string>): signal is Signal {
  return signal.market === undefined
}

/** True if a signal closes or reverses the position at once, so that no part needs to. */
export function isLeaving(signal: Signal<string>, { direction }: Held): boolean {
  if (!isOwn(signal)) return false
  switch (signal.type) {
    case 'exit':
      return (signal.fraction ?? 1) === 1 && signal.order === undefined
    case 'enter':
      return signal.direction !== direction
    case 'target':
      return targetSideOf(signal) !== direction
    default:
      return false
  }
}

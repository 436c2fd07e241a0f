import type { Signal } from '../../domain/signal.ts'
import type { Held } from './part.ts'
import { sideOf } from './sizing/target-exposure.ts'

/** Whether a signal is about the strategy's own instrument, which is what parts are about. */
export function isOwn(signal: Signal<string>): signal is Signal {
  return signal.market === undefined
}

/** Whether a signal closes or turns what is held at once, so that no part has to. */
export function isLeaving(signal: Signal<string>, { direction }: Held): boolean {
  if (!isOwn(signal)) return false
  switch (signal.type) {
    case 'exit':
      return (signal.fraction ?? 1) === 1 && signal.order === undefined
    case 'enter':
      return signal.direction !== direction
    case 'target':
      return sideOf(signal) !== direction
    default:
      return false
  }
}

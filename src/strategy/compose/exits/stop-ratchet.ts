import type { Direction } from '../../../domain/orders/side.ts'
import type { Signal } from '../../../domain/signal.ts'
import { exit, protect } from '../../signals.ts'
import type { Held } from '../part.ts'

/** Stop of a position, as plain data. */
export interface StopState {
  readonly direction: Direction
  /** Quote per base. */
  readonly level: number
  /** Position quantity when it was set, base units. */
  readonly quantity: number
}

/** True if a stop is closer to the market than another. */
export function isNearer(direction: Direction, level: number, other: number): boolean {
  return direction === 'long' ? level > other : level < other
}

/**
 * Moves the stop of a position to the closest of `levels` (at least one), never away from the market. Returns
 * its new state and, if needed, a signal. If the market has already passed the stop, the position is closed
 * at once.
 */
export function moveStop(
  stop: StopState | undefined,
  levels: readonly number[],
  { direction, quantity }: Held,
  close: number,
): { readonly stop: StopState; readonly signal: Signal | undefined } {
  const all = stop === undefined ? levels : [...levels, stop.level]
  const level = direction === 'long' ? Math.max(...all) : Math.min(...all)
  const now = { direction, level, quantity }
  if (!isNearer(direction, close, level)) return { stop: now, signal: exit() }
  const isSet = stop !== undefined && stop.level === level && quantity <= stop.quantity
  return { stop: now, signal: isSet ? undefined : protect({ stopLoss: level }) }
}

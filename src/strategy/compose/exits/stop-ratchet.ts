import type { Direction } from '../../../domain/orders/side.ts'
import type { Signal } from '../../../domain/signal.ts'
import { exit, protect } from '../../signals.ts'
import type { Held } from '../part.ts'

/** The stop of what is held, as plain data. */
export interface StopState {
  readonly direction: Direction
  /** Quote per base. */
  readonly level: number
  /** Base units held when it was set. */
  readonly quantity: number
}

/** Whether a stop is nearer to the market than another. */
export function isNearer(direction: Direction, level: number, other: number): boolean {
  return direction === 'long' ? level > other : level < other
}

/**
 * Moves the stop of what is held to the nearest of `levels` (one at least), and never away: gives its new state and, where something is to
 * be done, the signal. What the market has passed already is left at once.
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

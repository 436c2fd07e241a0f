import type { Direction } from '../../../domain/orders/side.ts'
import type { TargetSignal } from '../../../domain/signal.ts'
import type { StrategyView } from '../../strategy-view.ts'

/** Direction of a target; `undefined` for a flat one. */
export function targetSideOf({ size }: TargetSignal): Direction | undefined {
  const [value] = Object.values(size)
  if (value === undefined || value === 0) return undefined
  return value > 0 ? 'long' : 'short'
}

/** True if a target is larger than the position on its side, at `price` (quote per base). */
export function isLarger(
  target: TargetSignal,
  { position, equity }: Pick<StrategyView, 'position' | 'equity'>,
  price: number,
): boolean {
  const held = position.direction === targetSideOf(target) ? position.quantity : 0
  return Math.abs(baseOf(target, price, equity)) > held
}

function baseOf({ size }: TargetSignal, price: number, equity: number): number {
  if ('base' in size) return size.base
  return ('quote' in size ? size.quote : size.equityFraction * equity) / price
}

import type { Direction } from '../../../domain/orders/side.ts'
import type { FillView, StrategyView } from '../../strategy-view.ts'

/** An open position with its average price and its realized result, before fees, as plain data. */
export interface OpenTrade {
  direction: Direction
  /** Open quantity, base units. */
  quantity: number
  /** Average entry price of the open quantity, quote per base. */
  price: number
  /** Realized profit, quote. */
  result: number
  /** Entry cost of the closed quantity, quote. */
  cost: number
}

/** Change of a position by a fill. */
export interface TradeChange {
  /** The position after it; `undefined` when flat. */
  readonly open: OpenTrade | undefined
  /** Profit of the position that it closed, as a fraction of its cost; `undefined` if it closed none. */
  readonly closedReturn: number | undefined
  /** True if it opened a position. */
  readonly hasBegun: boolean
}

/** Counts a fill towards its position. `view` shows the position after it. */
export function countFill(
  open: OpenTrade | undefined,
  { side, price, quantity }: FillView,
  { position }: StrategyView,
): TradeChange {
  const direction = side === 'buy' ? 'long' : 'short'
  if (open === undefined || open.direction === direction) {
    if (position.direction === 'flat') return { open: undefined, closedReturn: undefined, hasBegun: false }
    return {
      open: larger(open, direction, price, quantity),
      closedReturn: undefined,
      hasBegun: open === undefined,
    }
  }
  const smaller = closed(open, price, quantity)
  if (position.direction === open.direction)
    return { open: smaller, closedReturn: undefined, hasBegun: false }
  const closedReturn = smaller.cost === 0 ? 0 : smaller.result / smaller.cost
  if (position.direction === 'flat') return { open: undefined, closedReturn, hasBegun: false }
  return { open: larger(undefined, direction, price, position.quantity), closedReturn, hasBegun: true }
}

function larger(
  open: OpenTrade | undefined,
  direction: Direction,
  price: number,
  quantity: number,
): OpenTrade {
  if (open === undefined) return { direction, quantity, price, result: 0, cost: 0 }
  const all = open.quantity + quantity
  return { ...open, quantity: all, price: (open.quantity * open.price + quantity * price) / all }
}

function closed(open: OpenTrade, price: number, quantity: number): OpenTrade {
  const part = Math.min(quantity, open.quantity)
  const won = (price - open.price) * (open.direction === 'long' ? 1 : -1)
  return {
    ...open,
    quantity: open.quantity - part,
    result: open.result + part * won,
    cost: open.cost + part * open.price,
  }
}

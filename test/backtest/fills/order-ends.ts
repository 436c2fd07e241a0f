import type { OrderStatus } from '../../../src/domain/orders/order-status.ts'
import { isWorking } from '../../../src/domain/orders/order-status.ts'
import type { Signal } from '../../../src/domain/signal.ts'
import { defineStrategy, type Strategy } from '../../../src/strategy/index.ts'

const ENDS = new WeakMap<Strategy, OrderStatus[]>()

/** A strategy that says on kline `n` what `script` has at `n`, and notes how its orders end. */
export function scriptedWithEnds(script: Readonly<Record<number, Signal | readonly Signal[]>>): Strategy {
  const ends: OrderStatus[] = []
  const strategy = defineStrategy({
    name: 'scripted',
    state: () => ({ row: -1 }),
    onKline: (_kline, { state }) => script[++state.row],
    onOrder({ status }) {
      if (!isWorking(status)) ends.push(status)
    },
    onFill(_fill, { orders }) {
      if (orders.length === 0) ends.push('filled')
    },
  })
  ENDS.set(strategy, ends)
  return strategy
}

/** How the orders of such a strategy ended, in order. */
export function orderEnds(strategy: Strategy): readonly OrderStatus[] {
  return ENDS.get(strategy) ?? []
}

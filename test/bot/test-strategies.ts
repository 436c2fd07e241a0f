import { defineStrategy, enterLong, exit, type Strategy } from '../../src/strategy/index.ts'

/** Keeps a bid at 90 on the book. */
export const bidder = defineStrategy({
  name: 'bidder',
  onKline: (_kline, { orders }) =>
    orders.length === 0 ? enterLong({ order: { type: 'limit', price: 90 } }) : undefined,
})

/** Buys on one kline and sells on the next. */
export const flipper = defineStrategy({
  name: 'flipper',
  onKline: (_kline, { position }) => (position.direction === 'flat' ? enterLong() : exit()),
})

/** Enters once as it is told, and keeps what it has. */
export const once = (enter: () => ReturnType<typeof enterLong>, name = 'once'): Strategy =>
  defineStrategy({
    name,
    state: () => ({ isDone: false }),
    onKline: (_kline, { state }) => {
      if (state.isDone) return undefined
      state.isDone = true
      return enter()
    },
  })

/** Opens once at market, and keeps what it has. */
export const holder = once(() => enterLong())

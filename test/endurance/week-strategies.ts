import {
  cancelEntries,
  defineStrategy,
  enterLong,
  enterShort,
  exit,
  keepQuotes,
  klines,
  number,
  of,
  protect,
  sma,
  trades,
} from '../../src/strategy/index.ts'

/** Keeps bids and offers around the close, each a little further from it: as many orders as are asked for, placed anew with nearly every kline. */
export const ladder = defineStrategy({
  name: 'ladder',
  parameters: {
    levels: number({ default: 2, min: 1, max: 20, description: 'Orders on either side.' }),
  },
  warmUp: () => 1,
  onKline({ close }, { parameters: { levels } }) {
    return keepQuotes(
      Array.from({ length: levels }, (_, level) => (level + 1) * 0.0001).flatMap(distance => [
        { side: 'buy' as const, price: close * (1 - distance), size: { quote: 100 } },
        { side: 'sell' as const, price: close * (1 + distance), size: { quote: 100 } },
      ]),
    )
  },
})

/** Groups that cancel each other, times to live, stops and touches that wait here, moved protection, parts, denials, feeds. */
export const chooser = defineStrategy({
  name: 'chooser',
  feeds: () => ({ slow: klines({ interval: '5m' }), prints: trades({ everyMs: 60_000 }) }),
  indicators: () => ({ trend: of('slow', sma(3)), average: sma(5) }),
  state: () => ({ step: 0, prints: 0 }),
  onKline({ close }, { state, position, indicators: { average } }) {
    const step = state.step++ % 10
    const [above, below] = [close * 1.0006, close * 0.9994]
    if (position.direction === 'long') {
      if (step % 5 === 2) return protect({ stopLoss: close * 0.998 })
      return step % 5 === 4 ? exit() : exit({ order: { type: 'limit', price: above }, fraction: 0.5 })
    }
    switch (step) {
      case 0:
      case 5:
        return [
          enterLong({ order: { type: 'stop', stopPrice: above }, oco: 'pair', tag: 'up' }),
          enterLong({ order: { type: 'limit', price: below }, oco: 'pair', tag: 'dip' }),
        ]
      case 2:
        return enterLong({
          order: { type: 'limit', price: close * 0.9998 },
          expiresAfter: { klines: 2 },
          stopLoss: { fraction: 0.002 },
          takeProfit: [
            { at: { fraction: 0.0005 }, fraction: 0.5 },
            { at: { fraction: 0.001 }, fraction: 0.5 },
          ],
        })
      case 6:
        return close > average.value
          ? enterLong({ trailingStop: { fraction: 0.001 } })
          : enterLong({ order: { type: 'ifTouched', triggerPrice: below }, keep: true, tag: 'touch' })
      case 7:
        return enterLong({ size: { quote: 1e9 } })
      case 9:
        return cancelEntries()
      default:
        return undefined
    }
  },
  on: {
    prints(_print, { state }) {
      state.prints++
      return undefined
    },
  },
})

/** Asks for entries far away that wait here for their price, and are replaced with the next kline; and for some that are too large. */
export const waiter = defineStrategy({
  name: 'waiter',
  parameters: { waiting: number({ default: 1, min: 0, max: 100, description: 'How many.' }) },
  warmUp: () => 1,
  onKline: ({ close }, { parameters: { waiting } }) =>
    Array.from({ length: waiting }, (_, index) => {
      const order = { type: 'stop', stopPrice: close * (1.5 + index / 100) } as const
      return enterLong({ order, size: { quote: index % 4 === 3 ? 1e9 : 100 } })
    }),
})

/** Always in the market: long above its average, short below it. */
export const turner = defineStrategy({
  name: 'turner',
  indicators: () => ({ fast: sma(2), slow: sma(5) }),
  onKline: (_kline, { indicators: { fast, slow }, position }) => {
    const wanted = fast.value > slow.value ? 'long' : 'short'
    if (position.direction === wanted) return undefined
    const protection = { stopLoss: { fraction: 0.003 } }
    return wanted === 'long' ? enterLong(protection) : enterShort(protection)
  },
})

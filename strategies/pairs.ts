import { defineStrategy, integer, klines, number, of, sma, targetPosition } from '../src/strategy/index.ts'

/** Sells what became dear against its pair and buys the other, for the same money. */
export default defineStrategy({
  name: 'pairs',
  description: 'Two instruments, one long and one short, while they are further apart than usual.',
  parameters: {
    window: integer({ default: 168, min: 2, max: 5000, description: 'Klines in the usual prices of both.' }),
    entry: number({
      default: 0.03,
      min: 0.001,
      max: 1,
      description: 'Spread at which to enter, as a fraction.',
    }),
    stop: number({ default: 0.1, min: 0.001, max: 5, description: 'Spread at which to give up.' }),
    share: number({
      default: 0.45,
      min: 0.01,
      max: 5,
      description: 'Worth of each side, as a fraction of equity.',
    }),
  },
  check: ({ entry, stop }) =>
    entry < stop ? undefined : `entry (${entry}) must be smaller than stop (${stop}).`,
  markets: ['hedge'],
  feeds: () => ({ hedge: klines({ market: 'hedge' }) }),
  indicators: ({ window }) => ({ usual: sma(window), usualHedge: of('hedge', sma(window)) }),
  onKline(kline, { indicators, parameters, feeds, position, orders, markets: { hedge } }) {
    const { latest } = feeds.hedge
    // Where one of the two klines is missing there is no spread, and what is on its way is waited for.
    if (latest?.openTime !== kline.openTime || orders.length + hedge.orders.length > 0) return
    const spread =
      Math.log(kline.close / indicators.usual.value) - Math.log(latest.close / indicators.usualHedge.value)
    const hold = (share: number) => [
      targetPosition({ equityFraction: share }),
      targetPosition({ equityFraction: -share }, { market: 'hedge' }),
    ]
    const { entry, stop, share } = parameters
    const isFlat = position.direction === 'flat' && hedge.position.direction === 'flat'
    if (isFlat)
      return Math.abs(spread) > entry && Math.abs(spread) < stop
        ? hold(-Math.sign(spread) * share)
        : undefined
    const isWhole = position.direction !== 'flat' && hedge.position.direction !== 'flat'
    // Long while the spread was below zero: it has closed once it is not, and is lost far below.
    const left = position.direction === 'long' ? -spread : spread
    if (!isWhole || left <= 0 || left >= stop) return hold(0)
  },
})

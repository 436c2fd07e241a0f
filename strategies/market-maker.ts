import { defineStrategy, depth, keepQuotes, number, type QuoteWish } from '../src/strategy/index.ts'

/** Where it quotes, quote per base; NaN before the first look at the book. */
interface Prices {
  center: number
  bid: number
  ask: number
}

/** Bids below and offers above the middle of the book, and leans against what it holds. */
export default defineStrategy({
  name: 'market-maker',
  description:
    'Keeps a bid and an offer around the middle of the order book, both lower the more it is long and higher the more it is short.',
  parameters: {
    halfSpread: number({
      default: 0.0005,
      min: 0.00001,
      max: 0.05,
      description: 'Distance of a quote from the middle, as a fraction of that.',
    }),
    size: number({ default: 200, min: 1, max: 1e6, description: 'Worth of a quote, in quote.' }),
    inventory: number({
      default: 1000,
      min: 1,
      max: 1e7,
      description: 'Worth, long or short, at which it quotes one side only, in quote.',
    }),
    skew: number({
      default: 0.0005,
      min: 0,
      max: 0.05,
      description: 'Shift of both quotes at that worth, as a fraction of the price.',
    }),
    patience: number({
      default: 0.0002,
      min: 0,
      max: 0.05,
      description: 'Move of the price, as a fraction of it, that leaves quotes where they are in the queue.',
    }),
  },
  check: ({ size, inventory }) =>
    size <= inventory ? undefined : `size (${size}) must not be larger than inventory (${inventory}).`,
  feeds: () => ({ book: depth({ levels: 1, everyMs: 500 }) }),
  state: (): Prices => ({ center: Number.NaN, bid: Number.NaN, ask: Number.NaN }),
  on: {
    book({ bids: [bid], asks: [ask] }, { parameters, state, position }) {
      if (bid === undefined || ask === undefined) return keepQuotes([])
      const { halfSpread, size, inventory, skew, patience } = parameters
      const middle = (bid.price + ask.price) / 2
      const sign = position.direction === 'short' ? -1 : 1
      const load = (sign * position.quantity * middle) / inventory
      const center = middle * (1 - skew * load)
      const isStill = Math.abs(center - state.center) < patience * middle
      if (!isStill || state.bid >= ask.price || state.ask <= bid.price) {
        const half = halfSpread * middle
        Object.assign(state, {
          center,
          bid: Math.min(center - half, bid.price),
          ask: Math.max(center + half, ask.price),
        })
      }
      const quotes: QuoteWish[] = []
      if (load < 1) quotes.push({ side: 'buy', price: state.bid, size: { quote: size } })
      if (load > -1) quotes.push({ side: 'sell', price: state.ask, size: { quote: size } })
      // What filled in part keeps its place in the queue until half of it is gone.
      return keepQuotes(quotes, { tolerance: 0.5 })
    },
  },
})

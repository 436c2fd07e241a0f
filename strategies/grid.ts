import { defineStrategy, exit, integer, keepQuotes, number, type QuoteWish } from '../src/strategy/index.ts'

/** Parts of a level that fees and rounding leave behind are not worth an order. */
const LEAST = 0.1

/** The grid's upper end, and what each of its levels buys. */
interface Grid {
  /** Quote per base; NaN before the first kline. */
  top: number
  /** Base units. */
  unit: number
}

/** Buys ever lower, and sells every purchase one level higher. */
export default defineStrategy({
  name: 'grid',
  description:
    'Rests a bid on every free level below the top of a grid, and an offer one level above every level that is held.',
  parameters: {
    levels: integer({ default: 8, min: 1, max: 100, description: 'Levels below the top at which to buy.' }),
    spacing: number({
      default: 0.01,
      min: 0.0005,
      max: 0.2,
      description: 'Distance from one level to the next, as a fraction of the price.',
    }),
    exposure: number({
      default: 0.9,
      min: 0.01,
      max: 1,
      description: 'Fraction of equity that all levels together may buy.',
    }),
    giveUp: number({
      default: 0.05,
      min: 0,
      max: 1,
      description:
        'Fall below the lowest level, as a fraction of it, at which everything is sold; 1 is never.',
    }),
  },
  state: (): Grid => ({ top: Number.NaN, unit: 0 }),
  onKline({ close }, { parameters: { levels, spacing, exposure, giveUp }, state, position, equity }) {
    const levelAt = (index: number) => state.top * (1 - spacing) ** index
    const isHolding = position.quantity > LEAST * state.unit
    const isLost = close < levelAt(levels) * (1 - giveUp)
    const isAbove = !isHolding && !(close <= state.top * (1 + spacing))
    // Above the grid nothing is left to sell, and far below it the rest is a loss: either way it begins anew here.
    if (isAbove || isLost) {
      state.top = close
      state.unit = (equity * exposure) / levels / close
      if (isHolding) return exit({ tag: 'gave up' })
    }
    // Levels fill from the top down, so that what is held tells which of them have.
    const held = position.quantity / state.unit
    const quotes: QuoteWish[] = []
    for (let index = 1; index <= levels; index++) {
      const filled = Math.min(1, Math.max(0, held - (index - 1)))
      const part = (fraction: number) => ({ size: { base: fraction * state.unit }, tag: `level ${index}` })
      if (1 - filled >= LEAST) quotes.push({ side: 'buy', price: levelAt(index), ...part(1 - filled) })
      if (filled >= LEAST) quotes.push({ side: 'sell', price: levelAt(index - 1), ...part(filled) })
    }
    return keepQuotes(quotes)
  },
})

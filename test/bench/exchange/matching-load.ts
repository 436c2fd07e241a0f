import type { Instrument } from '../../../src/domain/instrument.ts'
import { amountOf, rateOf } from '../../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import type { Side } from '../../../src/domain/orders/side.ts'

/** One step of the load: an order, or the cancel of one that was placed before. */
export type MatchingStep =
  | { readonly type: 'place'; readonly side: Side; readonly price: number; readonly quantity: number }
  | { readonly type: 'cancel'; readonly placed: number }

/** The instrument of the load. */
export const INSTRUMENT: Instrument = {
  symbol: 'BTC/USDT',
  base: 'BTC',
  quote: 'USDT',
  pricePrecision: 2,
  quantityPrecision: 5,
  minPrice: ticks(1),
  minQuantity: steps(1),
  maxQuantity: steps(Number.MAX_SAFE_INTEGER),
  minNotional: amountOf('0'),
  leverage: { min: 1, max: 1 },
  accountType: 'spot',
  fees: { maker: rateOf('0.001'), taker: rateOf('0.001'), paidIn: 'received' },
}

const MIDDLE = 6_000_000
const FARTHEST = 200

/** The range of prices of the load. */
export const LOAD_PRICES = { lowest: MIDDLE - FARTHEST, highest: MIDDLE + FARTHEST } as const

/**
 * Out of ten steps about six place an order near the middle, of which two trade at once, and four cancel an order of the
 * last thousand; the same for the same seed.
 */
export function matchingLoad(length: number, seed: number): readonly MatchingStep[] {
  const random = seededRandom(seed).uniform
  const load: MatchingStep[] = []
  let placed = 0
  for (let index = 0; index < length; index++) {
    if (placed > 0 && random() < 0.4) {
      load.push({ type: 'cancel', placed: placed - 1 - Math.floor(random() * Math.min(placed, 1000)) })
      continue
    }
    const side = random() < 0.5 ? 'buy' : 'sell'
    const crosses = random() < 0.33
    const distance = Math.floor(random() * (crosses ? 20 : FARTHEST)) + 1
    const price = MIDDLE + ((side === 'buy') === crosses ? distance : -distance)
    load.push({ type: 'place', side, price, quantity: 1 + Math.floor(random() * 10_000) })
    placed++
  }
  return load
}

import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import type { EnterSignal, Signal, TimeToLive } from '../../../src/domain/signal.ts'

/** Gives numbers from 0 up to 1. */
export type Random = () => number

/** What a strategy does at a price (quote per base). */
export type Move = (price: number, random: Random) => Signal | readonly Signal[] | undefined

/** A price around another, at most `spread` of it away. */
export function near(price: number, spread: number, random: Random): number {
  return price * (1 + (random() * 2 - 1) * spread)
}

/** A size in base, and now and then by money, by equity, or (with the stop-loss that it needs) by risk. */
export function sizeOf(random: Random): Pick<EnterSignal, 'size' | 'stopLoss'> {
  const kind = random()
  const part = random()
  if (kind < 0.1) return { size: { quote: 30 + part * 250 } }
  if (kind < 0.2) return { size: { equityFraction: 0.05 + part * 0.4 } }
  if (kind < 0.3) return { size: { riskFraction: 0.002 + part * 0.02 }, stopLoss: { fraction: 0.012 } }
  return { size: { base: Math.round((0.3 + part * 3) * 1000) / 1000 } }
}

/** How long an order may rest, if that is bounded. */
export function lifetimeOf(random: Random): { readonly expiresAfter?: TimeToLive } {
  const kind = random()
  const part = random()
  if (kind < 0.6) return {}
  if (kind < 0.8) return { expiresAfter: { klines: 1 + Math.floor(part * 3) } }
  return { expiresAfter: { ms: Math.floor(5000 + part * 150_000) } }
}

/** Numbers that the one in a strategy's state determines; the next call, which finds another one there, gives others. */
export function nextRandom(state: { random: number }): Random {
  const { uniform } = seededRandom(state.random)
  state.random = Math.floor(uniform() * 2 ** 32)
  return uniform
}

/** A source of chance that may move several markets, and by how much it moves this one. */
export interface Shock {
  readonly seed: string
  readonly weight: number
}

/** The seeds that a generated market lives on; two markets are as alike as what they share of them. */
export interface MarketDrivers {
  /** What is the market's alone: the path inside a minute, the noise of its volume. */
  readonly own: string
  /** How much happens when: volatility, fat tails and jumps. Shared by markets that are correlated. */
  readonly weather: string
  /** What its returns are made of; the squares of the weights add up to 1. */
  readonly shocks: readonly Shock[]
}

/** The drivers of a market that has nothing in common with any other. */
export function ownDrivers(seed: string): MarketDrivers {
  return { own: seed, weather: seed, shocks: [{ seed, weight: 1 }] }
}

/** A source of chance that may move several markets, and by how much it moves this one. */
export interface Shock {
  readonly seed: string
  readonly weight: number
}

/** The seeds of a generated market; markets are alike as far as they share seeds. */
export interface MarketDrivers {
  /** The market's own seed: the path inside a minute, the noise of its volume. */
  readonly own: string
  /** Seed of the activity over time: volatility, fat tails and jumps. Shared by correlated markets. */
  readonly regime: string
  /** Weighted sources of its returns; the squares of the weights add up to 1. */
  readonly shocks: readonly Shock[]
}

/** The drivers of a market independent of all others. */
export function ownDrivers(seed: string): MarketDrivers {
  return { own: seed, regime: seed, shocks: [{ seed, weight: 1 }] }
}

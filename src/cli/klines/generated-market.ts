/** A year, for those who only want something to run on; ms UTC. */
export const GENERATED_SPAN = { from: Date.UTC(2024, 0, 1), to: Date.UTC(2025, 0, 1) } as const

/** What a made-up market looks like unless it is told. */
export const USUAL_MARKET = { seed: 1, startPrice: 60_000, yearlyVolatility: 0.6 } as const

/** Default span of generated klines, one year; ms UTC. */
export const GENERATED_SPAN = { from: Date.UTC(2024, 0, 1), to: Date.UTC(2025, 0, 1) } as const

/** Default properties of a generated market. */
export const USUAL_MARKET = { seed: 1, startPrice: 60_000, yearlyVolatility: 0.6 } as const

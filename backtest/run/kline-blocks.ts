/** Klines whose indicators are computed in one go: enough for tight loops, few enough for the processor's cache. */
export const BLOCK = 1024

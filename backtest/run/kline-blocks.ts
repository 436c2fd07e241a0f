/**
 * Klines per batch of indicator computation: enough for tight loops, few enough for the processor's cache.
 */
export const BLOCK = 1024

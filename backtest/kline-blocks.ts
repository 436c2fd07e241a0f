/** Klines whose indicators are computed in one go: enough for tight loops, few enough for the processor's cache. */
export const BLOCK = 1024
/** After so many klines progress is told; a multiple of `BLOCK`. */
export const PROGRESS_STEP = 16_384

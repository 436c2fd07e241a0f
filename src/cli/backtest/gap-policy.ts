/**
 * Policy of a backtest for missing klines: it fails, skips them, or fills them with flat klines without
 * volume.
 */
export type GapPolicy = 'fail' | 'skip' | 'fill'

export const GAP_POLICIES: readonly GapPolicy[] = ['fail', 'skip', 'fill']

import type { Kline } from '../../domain/market-data/kline.ts'
import { type Grid, roundToTicks, type Steps, steps, type Ticks } from '../../domain/numbers/grid.ts'
import { UsageError } from '../../domain/sluice-error.ts'

/** A kline on the grid of its instrument, as the exchange serves it. */
export interface GridKline {
  /** Open time, ms UTC. */
  readonly openTime: number
  readonly open: Ticks
  readonly high: Ticks
  readonly low: Ticks
  readonly close: Ticks
  /** Base. */
  readonly volume: Steps
}

/** Brings a kline onto the grid, each value to its nearest point; throws `UsageError` for a kline no market can have printed. */
export function gridKlineOf(grid: Grid, kline: Kline): GridKline {
  const { openTime, open, high, low, close, volume } = kline
  const possible = low > 0 && low <= open && low <= close && high >= open && high >= close && volume >= 0
  if (!possible || !Number.isSafeInteger(openTime) || !Number.isFinite(high) || !Number.isFinite(volume)) {
    throw new UsageError(
      `The kline ${JSON.stringify(kline)} is impossible: 0 < low <= open, close <= high, volume >= 0 and a whole openTime are expected.`,
    )
  }
  const price = (value: number) => roundToTicks(grid, value, 'nearest')
  return {
    openTime,
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume: steps(Math.round(volume * 10 ** grid.quantityPrecision)),
  }
}

import type { Grid } from '../../domain/numbers/grid.ts'
import { type MarketDrivers, ownDrivers } from '../prices/market-drivers.ts'
import type { MarketSettings } from '../prices/market-settings.ts'
import {
  type FeedPosition,
  generatedFeed,
  type MarketFeed,
  recordedFeed,
  replayedFeed,
} from './market-feed.ts'

/**
 * Opens the prints of a configured market at `now` (ms UTC), or resumes at the position `from`; a generated
 * one uses `drivers`.
 */
export function openFeed(
  grid: Grid,
  market: MarketSettings,
  drivers: MarketDrivers,
  now: number,
  from?: FeedPosition,
): MarketFeed {
  switch (market.type) {
    case 'klines':
      return replayedFeed(grid, market.klines, market.interval, from)
    case 'ticks':
      return recordedFeed(grid, market.trades, market.quotes, from)
    case 'live':
      return recordedFeed(grid, [])
    case 'generated':
      return generatedFeed(grid, market, drivers, now, from)
  }
}

/** Opens a market independent of all others. */
export function openOwnFeed(
  grid: Grid,
  market: MarketSettings,
  seed: string,
  now: number,
  from?: FeedPosition,
): MarketFeed {
  return openFeed(grid, market, ownDrivers(seed), now, from)
}

import type { Grid } from '../../domain/grid.ts'
import { generatedFeed, type MarketFeed, recordedFeed, replayedFeed } from '../market-feed.ts'
import { type MarketDrivers, ownDrivers } from './market-drivers.ts'
import type { MarketSettings } from './market-settings.ts'

/** Opens the prints of a configured market at `now` (ms UTC); a generated one lives on `drivers`. */
export function openFeed(
  grid: Grid,
  market: MarketSettings,
  drivers: MarketDrivers,
  now: number,
): MarketFeed {
  switch (market.type) {
    case 'klines':
      return replayedFeed(grid, market.klines, market.interval)
    case 'ticks':
      return recordedFeed(grid, market.trades, market.quotes)
    case 'generated':
      return generatedFeed(grid, market, drivers, now)
  }
}

/** Opens a market that has nothing in common with any other. */
export function openOwnFeed(grid: Grid, market: MarketSettings, seed: string, now: number): MarketFeed {
  return openFeed(grid, market, ownDrivers(seed), now)
}

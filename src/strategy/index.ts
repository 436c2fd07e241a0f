/** Interface for strategy authors: the contract, its signals and the indicators. */

export type { Instrument } from '../domain/instrument.ts'
export type { Depth, DepthLevel } from '../domain/market-data/depth.ts'
export type { FundingRate } from '../domain/market-data/funding-rate.ts'
export type { IndexPrice } from '../domain/market-data/index-price.ts'
export type { Kline } from '../domain/market-data/kline.ts'
export type { Ticker } from '../domain/market-data/ticker.ts'
export type { Trade } from '../domain/market-data/trade.ts'
export type { OrderWish, QuoteWish, Signal, Size } from '../domain/signal.ts'
export { adx } from '../indicators/adx.ts'
export { atr } from '../indicators/atr.ts'
export { bollinger } from '../indicators/bollinger.ts'
export { crossesAbove, crossesBelow } from '../indicators/crossing.ts'
export { ema } from '../indicators/ema.ts'
export type { Indicator } from '../indicators/indicator.ts'
export { macd } from '../indicators/macd.ts'
export { plugIn } from '../indicators/plug-in.ts'
export { highest, lowest } from '../indicators/rolling-extreme.ts'
export { rsi } from '../indicators/rsi.ts'
export { sma } from '../indicators/sma.ts'
export { stochastic } from '../indicators/stochastic.ts'
export { volatility } from '../indicators/volatility.ts'
export { compose } from './compose/compose.ts'
export { atrTrail } from './compose/exits/atr-trail.ts'
export { breakeven } from './compose/exits/breakeven.ts'
export { chandelierExit } from './compose/exits/chandelier-exit.ts'
export { leavingWith } from './compose/exits/leaving-with.ts'
export { timeStop } from './compose/exits/time-stop.ts'
export { trailingStop } from './compose/exits/trailing-stop.ts'
export { definePart, type Part } from './compose/part.ts'
export { annualVolatility } from './compose/sizing/annual-volatility.ts'
export { atrRisk } from './compose/sizing/atr-risk.ts'
export { cooldownAfterLoss } from './compose/sizing/cooldown-after-loss.ts'
export { fixedFraction } from './compose/sizing/fixed-fraction.ts'
export { kellyFraction, kellySizing } from './compose/sizing/kelly-sizing.ts'
export { maxTradesPerDay } from './compose/sizing/max-trades-per-day.ts'
export { tradingHours } from './compose/sizing/trading-hours.ts'
export { trendFilter } from './compose/sizing/trend-filter.ts'
export { volatilityBand } from './compose/sizing/volatility-band.ts'
export { volatilityTarget } from './compose/sizing/volatility-target.ts'
export { defineStrategy, type Strategy } from './define-strategy.ts'
export { of } from './feeds/feed-indicator.ts'
export { depth, funding, indexPrice, klines, ticker, trades } from './feeds/feeds.ts'
export { boolean, choice, integer, number } from './parameters.ts'
export {
  cancelEntries,
  enterLong,
  enterShort,
  exit,
  keepQuotes,
  protect,
  type Signals,
  targetPosition,
} from './signals.ts'
export type { Context, FeedView } from './strategy-definition.ts'
export type {
  FillView,
  LotView,
  MarketView,
  OrderView,
  PlotValues,
  PositionView,
  StrategyView,
} from './strategy-view.ts'
export { every } from './timers.ts'

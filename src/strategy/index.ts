/** What strategy authors import: the contract, its signals and the indicators. */

export type { Depth, DepthLevel } from '../domain/depth.ts'
export type { FundingRate } from '../domain/funding-rate.ts'
export type { IndexPrice } from '../domain/index-price.ts'
export type { Instrument } from '../domain/instrument.ts'
export type { Kline } from '../domain/kline.ts'
export type { OrderWish, QuoteWish, Signal, Size } from '../domain/signal.ts'
export type { Ticker } from '../domain/ticker.ts'
export type { Trade } from '../domain/trade.ts'
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
export { annualVolatility } from './compose/annual-volatility.ts'
export { atrRisk } from './compose/atr-risk.ts'
export { atrTrail } from './compose/atr-trail.ts'
export { breakeven } from './compose/breakeven.ts'
export { chandelierExit } from './compose/chandelier-exit.ts'
export { compose } from './compose/compose.ts'
export { cooldownAfterLoss } from './compose/cooldown-after-loss.ts'
export { fixedFraction } from './compose/fixed-fraction.ts'
export { kellyFraction, kellySizing } from './compose/kelly-sizing.ts'
export { leavingWith } from './compose/leaving-with.ts'
export { maxTradesPerDay } from './compose/max-trades-per-day.ts'
export { definePart, type Part } from './compose/part.ts'
export { timeStop } from './compose/time-stop.ts'
export { tradingHours } from './compose/trading-hours.ts'
export { trailingStop } from './compose/trailing-stop.ts'
export { trendFilter } from './compose/trend-filter.ts'
export { volatilityBand } from './compose/volatility-band.ts'
export { volatilityTarget } from './compose/volatility-target.ts'
export { defineStrategy, type Strategy } from './define-strategy.ts'
export { of } from './feed-indicator.ts'
export { depth, funding, indexPrice, klines, ticker, trades } from './feeds.ts'
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
export type { FillView, LotView, MarketView, OrderView, PositionView, StrategyView } from './strategy-view.ts'
export { every } from './timers.ts'

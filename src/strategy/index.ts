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
export type { FillView, MarketView, OrderView, PositionView, StrategyView } from './strategy-view.ts'
export { every } from './timers.ts'

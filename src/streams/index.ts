/** Interface for authors of stream strategies, beside `src/strategy/index.ts` and rxjs. */

export type { ClosedKline } from './closed-kline.ts'
export { defineStreamStrategy, type Streams } from './define-stream-strategy.ts'
export { combineByClose } from './operators/combine-by-close.ts'
export { crossingAbove, crossingBelow } from './operators/crossing.ts'
export { distinctSignals } from './operators/distinct-signals.ts'
export { lastKlines } from './operators/last-klines.ts'
export { oncePer } from './operators/once-per.ts'
export { resample } from './operators/resample.ts'
export { windowByTime } from './operators/window-by-time.ts'
export { withIndicator } from './operators/with-indicator.ts'
export type { StreamContext } from './stream-context.ts'

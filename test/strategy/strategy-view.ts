import type { PositionView, StrategyView } from '../../src/strategy/strategy-view.ts'
import { MARGIN_BTC } from '../domain/instruments.ts'

/** Nothing held. */
export const FLAT: PositionView = {
  direction: 'flat',
  quantity: 0,
  entryPrice: Number.NaN,
  openedAt: Number.NaN,
}

/** One unit long since the epoch, bought at 100. */
export const LONG: PositionView = { direction: 'long', quantity: 1, entryPrice: 100, openedAt: 0 }

/** What an engine would show a strategy; a test may change it between klines. */
export type ViewForTests = { -readonly [Field in keyof StrategyView]: StrategyView[Field] }

/** A flat account of 10000 with no orders. */
export function emptyView(): ViewForTests {
  return {
    time: 0,
    price: 100,
    instrument: MARGIN_BTC,
    interval: '1m',
    position: FLAT,
    positions: { long: FLAT, short: FLAT },
    lots: [],
    orders: [],
    equity: 10_000,
    balance: () => 0,
    markets: {},
    plot: () => undefined,
  }
}

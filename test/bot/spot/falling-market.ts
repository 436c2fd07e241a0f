import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { flatMarket } from '../../simulator/exchange-caller.ts'

/** An hour at 100 that falls to 90 at the open of a minute. */
export function fallingAt(minute: number): readonly Kline[] {
  return flatMarket(100, 60).map((kline, index) =>
    index < minute ? kline : { ...kline, open: 90, high: 90, low: 90, close: 90 },
  )
}

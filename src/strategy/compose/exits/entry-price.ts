import type { Kline } from '../../../domain/market-data/kline.ts'
import type { EnterSignal } from '../../../domain/signal.ts'

/** Where an entry is expected to trade (quote per base): at its order's price, and at the latest close if that is the market's. */
export function entryPrice({ order }: EnterSignal, { close }: Kline): number {
  switch (order?.type) {
    case 'limit':
    case 'stopLimit':
      return order.price
    case 'stop':
      return order.stopPrice
    case 'ifTouched':
      return order.triggerPrice
    case 'market':
    case undefined:
      return close
  }
}

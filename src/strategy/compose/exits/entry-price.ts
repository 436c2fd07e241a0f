import type { Kline } from '../../../domain/market-data/kline.ts'
import type { EnterSignal } from '../../../domain/signal.ts'

/** Expected price of an entry (quote per base): its order's price, for a market order the latest close. */
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

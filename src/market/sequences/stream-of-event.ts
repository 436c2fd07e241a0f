import type { MarketEvent } from '../market-event.ts'
import { streamOf } from '../market-subscription.ts'

/** Stream of an event; `undefined` if it may belong to several. */
function streamOfEvent(event: MarketEvent): string | undefined {
  switch (event.type) {
    case 'kline':
    case 'klineWaiting':
    case 'klineRevised':
    case 'klinesMissing': {
      const { market, symbol, interval } = event
      return streamOf({ type: 'klines', market, symbol, interval })
    }
    case 'trade':
    case 'tradesMissed':
      return streamOf({ type: 'trades', market: event.market, symbol: event.symbol })
    case 'ticker':
    case 'depth':
    case 'indexPrice':
      return streamOf({ type: event.type, market: event.market, symbol: event.symbol })
    case 'listingChanged':
      return streamOf({ type: 'listings', market: event.market })
    case 'refused':
    case 'stale':
    case 'fresh':
      return event.stream
    case 'failed':
      return undefined
  }
}

/** True if an event belongs to a stream. */
export function concerns(event: MarketEvent, stream: string): boolean {
  return event.type === 'failed' ? event.streams.includes(stream) : streamOfEvent(event) === stream
}

import { amountToText, ZERO } from '../../domain/numbers/amount.ts'
import type { FuturesTicker } from '../../exchange/futures/futures-ticker.ts'
import type { ExchangeDepth, ExchangeDepthLevel } from '../../exchange/spot/depth.ts'
import type { ExchangeTicker } from '../../exchange/spot/ticker.ts'
import type { ExchangeTrade } from '../../exchange/spot/trade.ts'
import type { ToldBook, ToldLevel, ToldTrade } from '../../matching/told-market.ts'
import type { ToldDay } from '../../simulator/live/market-observation.ts'

/** When an answer was asked for and received, ms UTC by the host's clock. */
export interface Asked {
  readonly sentAt: number
  readonly receivedAt: number
}

/**
 * An order book as it is matched on. Its time is the host's, within the call; where the host tells none it is
 * that of the request, so that the book is never older than it says.
 */
export function toldBook({ bids, asks, time }: ExchangeDepth, asked: Asked, levels: number): ToldBook {
  const at = Math.min(time ?? asked.sentAt, asked.receivedAt)
  return { time: Math.floor(at), bids: bids.map(toldLevel), asks: asks.map(toldLevel), levels }
}

/** A public trade as it is matched on. */
export function toldTrade({ id, time, price, quantity, side }: ExchangeTrade): ToldTrade {
  return { id, time, price: price.toString(), quantity: quantity.toString(), side }
}

/** The last 24 hours, read at `now` (ms UTC). */
export function toldDay(ticker: ExchangeTicker | FuturesTicker, now: number): ToldDay {
  const { time = now, last, high = last, low = last, volume } = ticker
  const open = 'open' in ticker ? ticker.open : undefined
  const amount = 'quoteVolume' in ticker ? ticker.quoteVolume : undefined
  return {
    time,
    open: (open ?? last).toString(),
    high: high.toString(),
    low: low.toString(),
    last: last.toString(),
    volume: volume?.toString() ?? '0',
    amount: amount?.toString() ?? amountToText(ZERO),
  }
}

function toldLevel({ price, quantity }: ExchangeDepthLevel): ToldLevel {
  return [price.toString(), quantity.toString()]
}

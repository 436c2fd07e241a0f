import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { bestPriceField, decimalField, optionalDecimalField, timeField } from '../wire/wire-field.ts'

/** The last 24 hours of one pair, and its best prices; a field missing in the answer is `undefined`. */
export interface ExchangeTicker {
  /** `BASE/QUOTE`. */
  readonly symbol: string
  /** ms UTC. */
  readonly time: number
  readonly open: Decimal | undefined
  readonly high: Decimal
  readonly low: Decimal
  readonly last: Decimal
  /** Base units; a rolling window, so it may shrink. */
  readonly volume: Decimal
  readonly quoteVolume: Decimal | undefined
  /** As reported: a fraction (0.05 is 5%) by the documents, a percentage on some hosts. */
  readonly change: Decimal | undefined
  readonly bid: Decimal | undefined
  readonly bidQuantity: Decimal | undefined
  readonly ask: Decimal | undefined
  readonly askQuantity: Decimal | undefined
}

/** Answer for one pair; its symbol is still in the exchange's spelling and may be missing. */
export const tickerResponse = z
  .object({
    symbol: z.string().nullish(),
    time: timeField,
    open: optionalDecimalField,
    high: decimalField,
    low: decimalField,
    last: decimalField,
    vol: decimalField,
    amount: optionalDecimalField,
    rose: optionalDecimalField,
    bidPrice: bestPriceField,
    bidVolume: optionalDecimalField,
    buy: bestPriceField,
    askPrice: bestPriceField,
    askVolume: optionalDecimalField,
    sell: bestPriceField,
  })
  .transform(
    (wire): ExchangeTicker => ({
      symbol: wire.symbol ?? '',
      time: wire.time,
      open: wire.open,
      high: wire.high,
      low: wire.low,
      last: wire.last,
      volume: wire.vol,
      quoteVolume: wire.amount,
      change: wire.rose,
      bid: wire.bidPrice ?? wire.buy,
      bidQuantity: wire.bidVolume,
      ask: wire.askPrice ?? wire.sell,
      askQuantity: wire.askVolume,
    }),
  )

/** Answer for several or all pairs. */
export const tickersResponse = z.array(tickerResponse)

import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { listIn, partialListField } from '../wire/list-field.ts'
import {
  bestPriceField,
  decimalField,
  decimalIfGiven,
  optionalDecimalField,
  optionalTimeField,
} from '../wire/wire-field.ts'

/** The last 24 hours of one pair, and its best prices; a field missing in the answer is `undefined`. */
export interface ExchangeTicker {
  /** `BASE/QUOTE`. */
  readonly symbol: string
  /** ms UTC; `undefined` if the exchange does not give it. */
  readonly time: number | undefined
  readonly open: Decimal | undefined
  readonly high: Decimal | undefined
  readonly low: Decimal | undefined
  readonly last: Decimal
  /** Base units; a rolling window, so it may shrink. */
  readonly volume: Decimal | undefined
  readonly quoteVolume: Decimal | undefined
  /** As reported: a fraction (0.05 is 5%) by the documents, a percentage on some hosts. */
  readonly change: Decimal | undefined
  readonly bid: Decimal | undefined
  readonly bidQuantity: Decimal | undefined
  readonly ask: Decimal | undefined
  readonly askQuantity: Decimal | undefined
}

/** Answer for one pair; its symbol is still in the exchange's spelling and may be missing. */
const tickerResponse = z
  .object({
    symbol: z.string().nullish(),
    time: optionalTimeField,
    open: optionalDecimalField,
    high: decimalIfGiven,
    low: decimalIfGiven,
    last: decimalField,
    vol: decimalIfGiven,
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

/** Answer for one pair, alone or in a list, and for several or all pairs. */
export const tickersResponse = z
  .preprocess(value => listIn(value) ?? [value], partialListField(tickerResponse, 'symbol'))
  .transform(({ entries }) => entries)

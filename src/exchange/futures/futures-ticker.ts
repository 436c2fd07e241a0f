import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { partialRecordField } from '../wire/list-field.ts'
import {
  bestPriceField,
  decimalField,
  decimalIfGiven,
  optionalDecimalField,
  optionalTimeField,
} from '../wire/wire-field.ts'

/** The last 24 hours of one contract. */
export interface FuturesTicker {
  /** Such as `E-BTC-USDT`. */
  readonly contractName: string
  readonly high: Decimal | undefined
  readonly low: Decimal | undefined
  readonly last: Decimal
  /** Contracts. */
  readonly volume: Decimal | undefined
  /** A fraction (0.05 is 5%). */
  readonly change: Decimal | undefined
  /** Best prices; `undefined` on hosts that omit them. */
  readonly bid: Decimal | undefined
  readonly ask: Decimal | undefined
  /** ms UTC; `undefined` if the exchange does not give it. */
  readonly time: number | undefined
}

/** Answer for one contract, which it does not name. */
export const futuresTickerResponse = z
  .object({
    high: decimalIfGiven,
    low: decimalIfGiven,
    last: decimalField,
    vol: decimalIfGiven,
    rose: optionalDecimalField,
    buy: bestPriceField,
    sell: bestPriceField,
    time: optionalTimeField,
  })
  .transform(
    ({ high, low, last, vol, rose, buy, sell, time }): Omit<FuturesTicker, 'contractName'> => ({
      high,
      low,
      last,
      volume: vol,
      change: rose,
      bid: buy,
      ask: sell,
      time,
    }),
  )

/** Answer for all contracts, by their codes (`e_btcusdt`). */
export const futuresTickersResponse = partialRecordField(futuresTickerResponse)

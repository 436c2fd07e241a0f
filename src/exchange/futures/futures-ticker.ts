import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { bestPriceField, decimalField, optionalDecimalField, timeField } from '../wire/wire-field.ts'

/** The last 24 hours of one contract. */
export interface FuturesTicker {
  /** Such as `E-BTC-USDT`. */
  readonly contractName: string
  readonly high: Decimal
  readonly low: Decimal
  readonly last: Decimal
  /** Contracts. */
  readonly volume: Decimal
  /** A fraction (0.05 is 5%). */
  readonly change: Decimal | undefined
  /** Best prices; `undefined` on hosts that omit them. */
  readonly bid: Decimal | undefined
  readonly ask: Decimal | undefined
  /** ms UTC. */
  readonly time: number
}

/** Answer for one contract, which it does not name. */
export const futuresTickerResponse = z
  .object({
    high: decimalField,
    low: decimalField,
    last: decimalField,
    vol: decimalField,
    rose: optionalDecimalField,
    buy: bestPriceField,
    sell: bestPriceField,
    time: timeField,
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
export const futuresTickersResponse = z.record(z.string(), futuresTickerResponse)

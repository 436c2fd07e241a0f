import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { partialRecordField } from '../wire/list-field.ts'
import { decimalField, flagField, idField, textField } from '../wire/wire-field.ts'
import { symbolOf } from './feed-pair.ts'

/** The last 24 hours of one pair; a missing price is zero. */
interface SummaryPair {
  /** `BASE/QUOTE`. */
  readonly symbol: string
  readonly id: string
  readonly isFrozen: boolean
  readonly last: Decimal
  readonly high: Decimal
  readonly low: Decimal
  readonly lowestAsk: Decimal
  readonly highestBid: Decimal
  /** As reported: the document says "24h volume". */
  readonly quoteVolume: Decimal
  /** As reported: the document says "24h transactions". */
  readonly baseVolume: Decimal
  /** As reported. */
  readonly percentChange: Decimal
}

/** A currency, with the state of its deposits and withdrawals. */
interface SummaryCoin {
  readonly asset: string
  readonly name: string
  readonly canWithdraw: boolean
  readonly canDeposit: boolean
}

/** Every pair and every currency of the exchange. */
export interface Summary {
  readonly pairs: readonly SummaryPair[]
  readonly coins: readonly SummaryCoin[]
}

const pair = z.object({
  id: idField,
  isFrozen: flagField,
  last: decimalField,
  high24hr: decimalField,
  low24hr: decimalField,
  lowestAsk: decimalField,
  highestBid: decimalField,
  quoteVolume: decimalField,
  baseVolume: decimalField,
  percentChange: decimalField,
})

const coin = z.object({ name: textField, withdrew: flagField, deposit: flagField })

/** Answer of the summary feed, with `coins` beside `data`. */
export const summaryResponse = z
  .object({ data: partialRecordField(pair), coins: partialRecordField(coin).nullish() })
  .transform(
    ({ data, coins }): Summary => ({
      pairs: Object.entries(data).map(([code, { high24hr, low24hr, ...wire }]) => ({
        symbol: symbolOf(code),
        ...wire,
        high: high24hr,
        low: low24hr,
      })),
      coins: Object.entries(coins ?? {}).map(([asset, { name, withdrew, deposit }]) => ({
        asset,
        name,
        canWithdraw: withdrew,
        canDeposit: deposit,
      })),
    }),
  )

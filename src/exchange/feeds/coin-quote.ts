import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { partialRecordField } from '../wire/list-field.ts'
import { decimalField, idField } from '../wire/wire-field.ts'
import { symbolOf } from './feed-pair.ts'

/** The quote of one pair. */
export interface CoinQuote {
  /** `BASE/QUOTE`. */
  readonly symbol: string
  readonly baseId: string
  readonly quoteId: string
  readonly last: Decimal
  /** As reported: the document says "last volume". */
  readonly baseVolume: Decimal
  /** As reported: the document says "last turnover". */
  readonly quoteVolume: Decimal
  /** Last 24 hours. */
  readonly baseVolume24h: Decimal
  /** Last 24 hours. */
  readonly quoteVolume24h: Decimal
}

const quote = z.object({
  base_id: idField,
  quote_id: idField,
  last_price: decimalField,
  base_volume: decimalField,
  quote_volume: decimalField,
  '24_base_volume': decimalField,
  '24_quote_volume': decimalField,
})

/** Answer of the coin quotes. */
export const coinQuotesResponse = partialRecordField(quote).transform(quotes =>
  Object.entries(quotes).map(
    ([code, wire]): CoinQuote => ({
      symbol: symbolOf(code),
      baseId: wire.base_id,
      quoteId: wire.quote_id,
      last: wire.last_price,
      baseVolume: wire.base_volume,
      quoteVolume: wire.quote_volume,
      baseVolume24h: wire['24_base_volume'],
      quoteVolume24h: wire['24_quote_volume'],
    }),
  ),
)

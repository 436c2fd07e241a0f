import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { partialListField } from '../wire/list-field.ts'
import {
  decimalField,
  optionalDecimalField,
  optionalTextField,
  optionalTimeField,
  textField,
  timeField,
} from '../wire/wire-field.ts'

/**
 * A futures contract in the aggregator feed; rates are fractions. A field missing in the answer is
 * `undefined`.
 */
export interface FeedContract {
  /** Such as `E-BTC-USDT`. */
  readonly tickerId: string
  readonly base: string
  readonly quote: string
  readonly productType: 'futures' | 'perpetual' | 'options'
  readonly contractType: string | undefined
  readonly last: Decimal
  readonly bid: Decimal | undefined
  readonly ask: Decimal | undefined
  /** Last 24 hours. */
  readonly high: Decimal
  /** Last 24 hours. */
  readonly low: Decimal
  readonly baseVolume: Decimal
  readonly quoteVolume: Decimal
  readonly volumeUsd: Decimal | undefined
  readonly openInterest: Decimal
  readonly openInterestUsd: Decimal | undefined
  readonly indexPrice: Decimal
  readonly contractPrice: Decimal | undefined
  readonly contractPriceCurrency: string | undefined
  readonly fundingRate: Decimal
  readonly nextFundingRate: Decimal | undefined
  /** ms UTC. */
  readonly nextFundingTime: number | undefined
  readonly openMakerFeeRate: Decimal | undefined
  readonly openTakerFeeRate: Decimal | undefined
  readonly closeMakerFeeRate: Decimal | undefined
  readonly closeTakerFeeRate: Decimal | undefined
  /** ms UTC; `undefined` for a perpetual. */
  readonly createdTime: number | undefined
  /** ms UTC; `undefined` for a perpetual. */
  readonly expiryTime: number | undefined
  /** ms UTC. */
  readonly time: number
}

const PRODUCT_TYPES = { FUTURES: 'futures', PERPETUAL: 'perpetual', OPTIONS: 'options' } as const

/** A time that is 0 for a perpetual contract. */
const termTime = optionalTimeField.transform(time => (time === 0 ? undefined : time))

/** Sibling hosts call quote `target`, and creation and expiry `start` and `end`. */
const wireContract = z.object({
  ticker_id: textField,
  base_currency: textField,
  quote_currency: optionalTextField,
  target_currency: optionalTextField,
  product_type: z
    .string()
    .transform(value => value.toUpperCase())
    .pipe(z.enum(['FUTURES', 'PERPETUAL', 'OPTIONS'])),
  contract_type: optionalTextField,
  last_price: decimalField,
  bid: optionalDecimalField,
  ask: optionalDecimalField,
  high: decimalField,
  low: decimalField,
  base_volume: decimalField,
  quote_volume: optionalDecimalField,
  target_volume: optionalDecimalField,
  volume_usd: optionalDecimalField,
  open_interest: decimalField,
  open_interest_usd: optionalDecimalField,
  index_price: decimalField,
  contract_price: optionalDecimalField,
  contract_price_currency: optionalTextField,
  funding_rate: decimalField,
  next_funding_rate: optionalDecimalField,
  next_funding_rate_timestamp: optionalTimeField,
  open_maker_fee: optionalDecimalField,
  open_taker_fee: optionalDecimalField,
  close_maker_fee: optionalDecimalField,
  close_taker_fee: optionalDecimalField,
  creation_timestamp: termTime,
  start_timestamp: termTime,
  expiry_timestamp: termTime,
  end_timestamp: termTime,
  timestamp: timeField,
})

const contract = wireContract.transform((wire, context): FeedContract => {
  const quote = wire.quote_currency ?? wire.target_currency
  const quoteVolume = wire.quote_volume ?? wire.target_volume
  if (quote !== undefined && quoteVolume !== undefined) return contractOf(wire, quote, quoteVolume)
  const field = quote === undefined ? 'quote_currency' : 'quote_volume'
  context.addIssue({ code: 'custom', path: [field], message: 'is missing' })
  return z.NEVER
})

function contractOf(wire: z.output<typeof wireContract>, quote: string, quoteVolume: Decimal): FeedContract {
  return {
    tickerId: wire.ticker_id,
    base: wire.base_currency,
    quote,
    productType: PRODUCT_TYPES[wire.product_type],
    contractType: wire.contract_type,
    last: wire.last_price,
    bid: wire.bid,
    ask: wire.ask,
    high: wire.high,
    low: wire.low,
    baseVolume: wire.base_volume,
    quoteVolume,
    volumeUsd: wire.volume_usd,
    openInterest: wire.open_interest,
    openInterestUsd: wire.open_interest_usd,
    indexPrice: wire.index_price,
    contractPrice: wire.contract_price,
    contractPriceCurrency: wire.contract_price_currency,
    fundingRate: wire.funding_rate,
    nextFundingRate: wire.next_funding_rate,
    nextFundingTime: wire.next_funding_rate_timestamp,
    openMakerFeeRate: wire.open_maker_fee,
    openTakerFeeRate: wire.open_taker_fee,
    closeMakerFeeRate: wire.close_maker_fee,
    closeTakerFeeRate: wire.close_taker_fee,
    createdTime: wire.creation_timestamp ?? wire.start_timestamp,
    expiryTime: wire.expiry_timestamp ?? wire.end_timestamp,
    time: wire.timestamp,
  }
}

/** Answer of the futures contracts feed; sibling hosts send the list alone. */
export const contractFeedResponse = partialListField(contract, 'ticker_id', 'contracts').transform(
  ({ entries }) => entries,
)

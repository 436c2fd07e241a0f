import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { decimalField, decimalIfGiven, optionalDecimalField, optionalTimeField } from '../wire/wire-field.ts'

/** Index and mark price of a contract, in quote, and its funding. */
export interface ExchangeIndexPrice {
  readonly contractName: string
  readonly indexPrice: Decimal
  readonly markPrice: Decimal
  /** Funding rate of the last settlement: fraction of the notional that longs pay to shorts. */
  readonly lastFundingRate: Decimal
  /** Funding rate of the next settlement; `undefined` on hosts that omit it. */
  readonly nextFundingRate: Decimal | undefined
  /** ms UTC; `undefined` if the exchange does not give it. */
  readonly time: number | undefined
}

/** Answer of the index endpoint; it may omit the contract. Sibling hosts use other names for two fields. */
export const indexPriceResponse = z
  .object({
    indexPrice: decimalField,
    markPrice: decimalIfGiven,
    tagPrice: decimalIfGiven,
    lastFundingRate: decimalIfGiven,
    currentFundRate: decimalIfGiven,
    nextFundRate: optionalDecimalField,
    time: optionalTimeField,
  })
  .transform((wire, context): Omit<ExchangeIndexPrice, 'contractName'> => {
    const markPrice = wire.markPrice ?? wire.tagPrice
    const lastFundingRate = wire.lastFundingRate ?? wire.currentFundRate
    if (markPrice === undefined || lastFundingRate === undefined) {
      const field = markPrice === undefined ? 'markPrice' : 'lastFundingRate'
      context.addIssue({ code: 'custom', path: [field], message: 'is missing' })
      return z.NEVER
    }
    const { indexPrice, nextFundRate, time } = wire
    return { indexPrice, markPrice, lastFundingRate, nextFundingRate: nextFundRate, time }
  })

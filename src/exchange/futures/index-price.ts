import { z } from 'zod'
import type { Decimal } from '../../domain/numbers/decimal.ts'
import { decimalField, optionalDecimalField, optionalTimeField } from '../wire/wire-field.ts'

/** The prices a contract is settled by, in quote, and its funding. */
export interface IndexPrice {
  readonly contractName: string
  readonly indexPrice: Decimal
  readonly markPrice: Decimal
  /** Fraction of the position's value that longs pay to shorts at a settlement. */
  readonly lastFundingRate: Decimal
  /** Of the coming settlement, on the hosts that tell it. */
  readonly nextFundingRate: Decimal | undefined
  /** ms UTC, where the exchange says. */
  readonly time: number | undefined
}

/** Answer of the index endpoint; it need not say which contract it is of. Sibling hosts name two fields otherwise. */
export const indexPriceResponse = z
  .object({
    indexPrice: decimalField,
    markPrice: decimalField.optional(),
    tagPrice: decimalField.optional(),
    lastFundingRate: decimalField.optional(),
    currentFundRate: decimalField.optional(),
    nextFundRate: optionalDecimalField,
    time: optionalTimeField,
  })
  .transform((wire, context): Omit<IndexPrice, 'contractName'> => {
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

import { AMOUNT_DECIMALS, type Amount, amountOf } from '../../domain/numbers/amount.ts'
import { ApiError } from './api-error.ts'
import type { RequestParameters } from './request-parameters.ts'

/** More than any asset has units. */
const LARGEST = 1e30

/** A mandatory amount above 0, of any asset; throws `ApiError`. */
export function readPositiveAmount(parameters: RequestParameters, name: string): Amount {
  const amount = parameters.decimal(name)
  if (amount.lte(0) || amount.gt(LARGEST)) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', name)
  if (amount.decimalPlaces() > AMOUNT_DECIMALS) throw new ApiError('BAD_PRECISION')
  return amountOf(amount)
}

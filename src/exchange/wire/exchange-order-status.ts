import { z } from 'zod'

/** State of an order at the exchange. */
export type ExchangeOrderStatus =
  | 'new'
  | 'partiallyFilled'
  | 'filled'
  | 'canceled'
  | 'pendingCancel'
  | 'rejected'
  | 'expired'

/**
 * Every known spelling, in upper case with one underscore for other characters than letters and digits;
 * numbers are the platform's enumeration.
 */
const STATUS_OF_SPELLING: ReadonlyMap<string, ExchangeOrderStatus> = new Map<string, ExchangeOrderStatus>([
  ['0', 'new'],
  ['INIT', 'new'],
  ['1', 'new'],
  ['NEW', 'new'],
  ['NEW_ORDER', 'new'],
  ['2', 'filled'],
  ['FILLED', 'filled'],
  ['3', 'partiallyFilled'],
  ['PARTIALLY_FILLED', 'partiallyFilled'],
  ['PART_FILLED', 'partiallyFilled'],
  ['4', 'canceled'],
  ['CANCELED', 'canceled'],
  ['CANCELLED', 'canceled'],
  ['PARTIALLY_FILLED_CANCELED', 'canceled'],
  ['PARTIALLY_FILLED_CANCELLED', 'canceled'],
  ['5', 'pendingCancel'],
  ['PENDING_CANCEL', 'pendingCancel'],
  ['TO_BE_CANCELED', 'pendingCancel'],
  ['TO_BE_CANCELLED', 'pendingCancel'],
  ['6', 'expired'],
  ['EXPIRED', 'expired'],
  ['REJECTED', 'rejected'],
])

/** Order status from any spelling or from its number. */
export const orderStatusField = z.transform((value: unknown, context): ExchangeOrderStatus => {
  const status = orderStatusOf(value)
  if (status !== undefined) return status
  context.addIssue({ code: 'custom', message: `"${value}" is no known order status` })
  return z.NEVER
})

/** Status of a spelling or a number; `undefined` if it is unknown. */
export function orderStatusOf(value: unknown): ExchangeOrderStatus | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const spelling = String(value)
  const known = STATUS_OF_SPELLING.get(spelling)
  return known ?? STATUS_OF_SPELLING.get(spelling.toUpperCase().replace(/[^A-Z0-9]+/g, '_'))
}

import { ExchangeError } from '../../exchange/errors/exchange-error.ts'

/** ORDER_NOT_SUPPORT_CANCELLATION: the order is in a state that cannot be canceled, hence over. */
const NOT_CANCELABLE = -1145
/** The volume is above the position, or above what no other order closes already. */
const NOTHING_TO_CLOSE: ReadonlySet<number | undefined> = new Set([-1156, 10_015])

/** Whether a cancel was refused because the order is over. */
export function isNotCancelable(error: unknown): boolean {
  return error instanceof ExchangeError && error.exchangeCode === NOT_CANCELABLE
}

/** Whether an order was refused because the exchange has not as much of the position. */
export function isNothingToClose(error: unknown): boolean {
  return error instanceof ExchangeError && NOTHING_TO_CLOSE.has(error.exchangeCode)
}

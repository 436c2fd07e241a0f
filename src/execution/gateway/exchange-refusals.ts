import { ExchangeError } from '../../exchange/errors/exchange-error.ts'

/** ORDER_NOT_SUPPORT_CANCELLATION: the order is in a state that cannot be canceled, hence it has ended. */
const NOT_CANCELABLE = -1145
const NO_DEPTH = -1112
/** The volume exceeds the position, or its part without other exits. */
const NOTHING_TO_CLOSE: ReadonlySet<number | undefined> = new Set([-1156, 10_015])

/** True if a cancel was refused because the order has ended. */
export function isNotCancelable(error: unknown): boolean {
  return error instanceof ExchangeError && error.exchangeCode === NOT_CANCELABLE
}

/** True if an order at market was refused because the book has nothing to trade with: the host is well. */
export function isEmptyBook(error: unknown): boolean {
  return error instanceof ExchangeError && error.exchangeCode === NO_DEPTH
}

/** True if an order was refused because the position at the exchange is too small. */
export function isNothingToClose(error: unknown): boolean {
  return error instanceof ExchangeError && NOTHING_TO_CLOSE.has(error.exchangeCode)
}

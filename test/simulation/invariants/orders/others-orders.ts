import type { ForeignOrders } from '../../../../src/execution/reconciliation/reconciler-options.ts'
import { openOrders, type Scene, type Violation } from '../scene.ts'
import type { ExchangeOrder } from './exchange-order.ts'

type Accounts = Pick<Scene, 'user' | 'futures' | 'instruments' | 'othersPrefix'>

/** Where the bot is to cancel the orders of others, none rests any more after some time in peace, before they take it back themselves. */
export function othersAreGone(accounts: Accounts, asked: ForeignOrders): readonly Violation[] {
  if (asked === 'leave') return []
  const symbols = accounts.instruments.map(({ symbol }) => symbol)
  return openOrdersOfOthers(accounts)
    .filter(({ symbol }) => symbols.includes(symbol))
    .map(({ id, symbol }) => ({ problem: `order ${id} of somebody else still rests`, about: symbol }))
}

/** Where it is to leave them alone, it asks for none to be canceled; `path` and `body` are of a request that it sends. */
export function othersAreLeft(
  accounts: Accounts,
  asked: ForeignOrders,
  { path, body }: { readonly path: string; readonly body: string },
): readonly Violation[] {
  if (asked === 'cancel' || !/cancel/i.test(path)) return []
  return openOrdersOfOthers(accounts)
    .filter(({ id }) => body.includes(`${id}`))
    .map(({ id, symbol }) => ({
      problem: `order ${id} of somebody else is not to be canceled`,
      about: symbol,
    }))
}

function openOrdersOfOthers(accounts: Accounts): readonly ExchangeOrder[] {
  const { othersPrefix } = accounts
  return openOrders(accounts).filter(
    ({ clientOrderId }) => clientOrderId === undefined || clientOrderId.startsWith(othersPrefix),
  )
}

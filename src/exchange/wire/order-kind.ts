import { z } from 'zod'
import type { Side } from '../../domain/orders/side.ts'

/** Kind of an order; all but `market` have a limit price. */
export type OrderKind = 'limit' | 'market' | 'ioc' | 'fok' | 'postOnly' | 'stop'

/** Wire names of the order types (interface section 4.2). */
export const WIRE_TYPE_OF_KIND = {
  limit: 'LIMIT',
  market: 'MARKET',
  ioc: 'IOC',
  fok: 'FOK',
  postOnly: 'POST_ONLY',
  stop: 'STOP',
} as const satisfies Record<OrderKind, string>

/** Wire names of the sides. */
export const WIRE_SIDE = { buy: 'BUY', sell: 'SELL' } as const satisfies Record<Side, string>

/**
 * `STOP_MARKET` is not documented, but one client places such orders, and the account's list then contains
 * them. The numbers are the platform's own codes, as in the futures order history.
 */
const KIND_OF_WIRE_TYPE: ReadonlyMap<string, OrderKind> = new Map<string, OrderKind>([
  ['LIMIT', 'limit'],
  ['MARKET', 'market'],
  ['IOC', 'ioc'],
  ['FOK', 'fok'],
  ['POST_ONLY', 'postOnly'],
  ['STOP', 'stop'],
  ['STOP_MARKET', 'stop'],
  ['1', 'limit'],
  ['2', 'market'],
  ['3', 'ioc'],
  ['4', 'fok'],
  ['5', 'postOnly'],
])

/** Order type of an answer, from its name or its number. */
export const orderKindField = z.transform((value: unknown, context): OrderKind => {
  const kind = KIND_OF_WIRE_TYPE.get(String(value).toUpperCase())
  if (kind !== undefined) return kind
  context.addIssue({ code: 'custom', message: `"${value}" is no known order type` })
  return z.NEVER
})

/** Side of an answer, in upper or lower case. */
export const sideField = z.transform((value: unknown, context): Side => {
  const name = typeof value === 'string' ? value.toUpperCase() : undefined
  if (name === WIRE_SIDE.buy) return 'buy'
  if (name === WIRE_SIDE.sell) return 'sell'
  context.addIssue({ code: 'custom', message: `"${value}" is neither BUY nor SELL` })
  return z.NEVER
})

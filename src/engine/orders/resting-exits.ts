import type { Instrument } from '../../domain/instrument.ts'
import { priceOf, type Ticks } from '../../domain/numbers/grid.ts'
import { type Order, openQuantityOf } from '../../domain/orders/order.ts'
import type { LimitKind, OrderRequest } from '../../domain/orders/order-request.ts'
import { exitSideOf } from '../../domain/orders/side.ts'
import type { ExitSignal, OrderWish, TimeToLive } from '../../domain/signal.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { PositionBooks } from '../position-books.ts'
import type { UnfinishedExits } from './unfinished-exits.ts'
import { openQuantityOfAll, type WorkingOrders } from './working-orders.ts'

/** A resting exit that exceeds the position left for it. */
export interface ExcessExit {
  readonly clientOrderId: string
  /** The same exit for the remaining position and the remaining time; absent if there is none. */
  readonly rest?: ExitSignal
}

/**
 * Cancelable resting exits that would close more than the position left by market exits. The remainder goes
 * to the oldest first.
 */
export function excessExits(account: ExitAccount, mayGo: (order: Order) => boolean): readonly ExcessExit[] {
  const { books, ledger, orders, unfinished } = account
  if (orders.areNone) return NO_EXITS
  const resting = orders.restingExits()
  if (resting.length === 0) return NO_EXITS
  return books.all.flatMap(book => {
    const position = ledger.position(book)
    if (position === undefined) return NO_EXITS
    const side = exitSideOf(position.direction)
    const atMarket = orders.marketExits(book).filter(({ request }) => request.side === side)
    const leaving = openQuantityOfAll(atMarket) + unfinished.leavingOf(book)
    let left = Math.max(0, position.quantity - leaving)
    const excess: ExcessExit[] = []
    for (const order of orders.exitsFrom(book)) {
      const { request } = order
      if (request.side !== side || !resting.includes(order) || !mayGo(order)) continue
      const open = openQuantityOf(order)
      if (open > left) excess.push(excessOf(account, order, left))
      left = Math.max(0, left - open)
    }
    return excess
  })
}

export interface ExitAccount {
  readonly instrument: Instrument
  readonly books: PositionBooks
  readonly ledger: Ledger
  readonly orders: WorkingOrders
  readonly unfinished: UnfinishedExits
  /** Remaining time to live of an order, at most 0 once expired; `undefined` without one. */
  readonly timeLeft: (clientOrderId: string) => TimeToLive | undefined
}

const NO_EXITS: readonly ExcessExit[] = []

function excessOf({ instrument, timeLeft }: ExitAccount, { request }: Order, left: number): ExcessExit {
  const { clientOrderId, side, tag, terms } = request
  // Quotes are declared anew by their strategy.
  const order = left > 0 && terms?.quotes === undefined ? wishOf(instrument, request) : undefined
  const expiresAfter = timeLeft(clientOrderId)
  if (order === undefined || isOver(expiresAfter)) return { clientOrderId }
  const direction = side === 'sell' ? 'long' : 'short'
  const rest = { type: 'exit', direction, order, ...(tag !== undefined && { tag }) } as const
  return { clientOrderId, rest: expiresAfter === undefined ? rest : { ...rest, expiresAfter } }
}

function isOver(left: TimeToLive | undefined): boolean {
  return left !== undefined && ('klines' in left ? left.klines : left.ms) <= 0
}

const KINDS = {
  postOnly: { postOnly: true },
  ioc: { timeInForce: 'IOC' },
  fok: { timeInForce: 'FOK' },
} as const satisfies Record<LimitKind, Partial<OrderWish>>

/** An exit in the terms of a strategy. */
function wishOf(instrument: Instrument, { spec }: OrderRequest): OrderWish | undefined {
  const price = (value: Ticks) => priceOf(instrument, value)
  switch (spec.type) {
    case 'limit':
      return { type: 'limit', price: price(spec.price), ...(spec.kind !== undefined && KINDS[spec.kind]) }
    case 'stop':
      return { type: 'stop', stopPrice: price(spec.stopPrice) }
    case 'stopLimit':
      return { type: 'stopLimit', stopPrice: price(spec.stopPrice), price: price(spec.price) }
    case 'ifTouched':
      return { type: 'ifTouched', triggerPrice: price(spec.triggerPrice) }
    default:
      return undefined
  }
}

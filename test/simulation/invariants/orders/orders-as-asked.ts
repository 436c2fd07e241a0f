import { accountIn, listedName } from '../../../../src/domain/account-symbol.ts'
import { bookOf } from '../../../../src/domain/book-names.ts'
import type { Instrument } from '../../../../src/domain/instrument.ts'
import { type Amount, add, ZERO } from '../../../../src/domain/numbers/amount.ts'
import { baseAmount, priceAmount } from '../../../../src/domain/numbers/grid.ts'
import { wholeId } from '../../../../src/domain/orders/order-parts.ts'
import type { OrderRequest } from '../../../../src/domain/orders/order-request.ts'
import { ownOrders, ownTrades, type Scene, type Violation } from '../scene.ts'
import type { ExchangeOrder } from './exchange-order.ts'

/** `maxSlippageRate` of the bots here. */
const MOST_SLIPPAGE_PERCENT = 1n

/** Steps of prices with 0 to 7 decimals, as amounts. */
const COARSER_STEPS = Array.from({ length: 8 }, (_, decimals) => 10n ** BigInt(18 - decimals))

/** What is at the exchange is what was decided: its kind, its side, its price and no more than its quantity; what must not take has not, and what fills whole or not at all did so. */
export function ordersAsAsked(scene: Scene): readonly Violation[] {
  const { ledger } = scene
  const takers = new Set(
    ownTrades(scene).flatMap(({ order, liquidity }) => (liquidity === 'taker' ? [keyOf(order)] : [])),
  )
  const sent = Map.groupBy(ownOrders(scene), ({ clientOrderId = '' }) => wholeId(clientOrderId))
  return [...sent].flatMap(([about, orders]) => {
    const request = ledger.orders.get(about)?.request
    if (request === undefined) return []
    const problems = orders.flatMap(order => [
      ...different(scene, request, order),
      ...(order.type === 'POST_ONLY' && takers.has(keyOf(order)) ? ['took although it is post-only'] : []),
      ...(order.type === 'FOK' && isInPart(order) ? ['filled in part although it is fill-or-kill'] : []),
    ])
    if (isTooMuch(scene, request, orders)) problems.push('is larger than was asked for')
    return problems.map(problem => ({ problem: `order ${about} of ${bookOf(request)} ${problem}`, about }))
  })
}

/** Each account counts its orders for itself. */
function keyOf({ account, id }: ExchangeOrder): string {
  return `${account} ${id}`
}

function different({ ledger }: Scene, request: OrderRequest, order: ExchangeOrder): readonly string[] {
  const wrong: string[] = []
  const { accountType, iocRests = false } = ledger.instrument(request.symbol)
  const account = accountIn(request.symbol) ?? accountType
  if (order.side !== request.side || order.symbol !== listedName(request.symbol) || order.account !== account)
    wrong.push(`is a ${order.side} of ${order.symbol} on ${order.account}`)
  const asSent = order.closes === undefined ? spotTypeOf(request) : futuresTypeOf(request)
  // Neither a margin account nor some hosts have orders that never rest.
  const type = (account === 'margin' || iocRests) && asSent === 'IOC' ? 'LIMIT' : asSent
  if (order.type !== type) wrong.push(`is ${order.type}, not ${type}`)
  if (order.closes !== undefined && order.closes !== request.reduceOnly)
    wrong.push(order.closes ? 'closes what it is to open' : 'opens what it is to close')
  const asked =
    request.spec.type === 'limit' || request.spec.type === 'stopLimit'
      ? priceAmount(ledger.instrument(request.symbol), request.spec.price)
      : undefined
  const isAsked = asked === undefined || order.price === undefined || order.price === asked
  if (!isAsked && !(request.reduceOnly && isCut(asked, order.price, order.side)))
    wrong.push(`has the price ${order.price}, not ${asked}`)
  if (order.type === 'IOC' && asked === undefined && order.price !== undefined && account !== 'margin')
    wrong.push(...beyondSlippage(ledger.instrument(request.symbol), request, order.price))
  return wrong
}

/** True if a price is one that was asked for, cut to fewer decimals in the favour of who asked: an exchange may take fewer by now. */
function isCut(asked: Amount, price: Amount, side: ExchangeOrder['side']): boolean {
  return COARSER_STEPS.some(step => {
    const below = asked - (asked % step)
    return price === (side === 'buy' || below === asked ? below : below + step)
  })
}

/** What trades at market is bounded by the price that it was decided at, or the one that triggered it. */
function beyondSlippage(instrument: Instrument, { spec, side, referencePrice }: OrderRequest, cap: Amount) {
  const trigger = spec.type === 'stop' ? spec.stopPrice : undefined
  const touched = spec.type === 'ifTouched' ? spec.triggerPrice : undefined
  const from = priceAmount(instrument, trigger ?? touched ?? referencePrice)
  const isBeyond =
    side === 'buy'
      ? cap * 100n > from * (100n + MOST_SLIPPAGE_PERCENT)
      : cap * 100n < from * (100n - MOST_SLIPPAGE_PERCENT)
  return isBeyond ? [`is bounded by ${cap}, more than its slippage from ${from}`] : []
}

function spotTypeOf(request: OrderRequest): ExchangeOrder['type'] {
  return limitTypeOf(request) ?? (request.side === 'sell' ? 'MARKET' : 'IOC')
}

/** What closes contracts must do so wherever the price is. */
function futuresTypeOf(request: OrderRequest): ExchangeOrder['type'] {
  return limitTypeOf(request) ?? (request.reduceOnly ? 'MARKET' : 'IOC')
}

/** `undefined` for what trades at whatever price there is. */
function limitTypeOf({ spec, purpose }: OrderRequest): ExchangeOrder['type'] | undefined {
  if (spec.type !== 'limit' && spec.type !== 'stopLimit') return undefined
  if (purpose === 'takeProfit') return 'IOC'
  const kind = spec.type === 'limit' ? spec.kind : undefined
  return ({ ioc: 'IOC', fok: 'FOK', postOnly: 'POST_ONLY', none: 'LIMIT' } as const)[kind ?? 'none']
}

/** A protective order may have become smaller once it had left. */
function isTooMuch({ ledger }: Scene, request: OrderRequest, orders: readonly ExchangeOrder[]): boolean {
  if (request.protects !== undefined) return false
  const quantity = orders.reduce((sum, order) => add(sum, order.quantity ?? ZERO), ZERO)
  return quantity > baseAmount(ledger.instrument(request.symbol), request.quantity)
}

function isInPart({ quantity, executed }: ExchangeOrder): boolean {
  return quantity !== undefined && executed > 0n && executed < quantity
}

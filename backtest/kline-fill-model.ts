import type { Liquidity } from '../src/domain/fill.ts'
import { roundToTicks, type Steps, type Ticks, ticks } from '../src/domain/grid.ts'
import type { Instrument } from '../src/domain/instrument.ts'
import type { Kline } from '../src/domain/kline.ts'
import type { OrderRequest } from '../src/domain/order-request.ts'
import { type Execution, executionAtOpen, executionInside, touchesStop } from './execution-price.ts'
import type { FillSettings } from './fill-settings.ts'
import { type EntryOnThisKline, type ModelOrder, modelOrder, trailAfter } from './model-order.ts'

/** Takes an execution; what it leads to (new protective orders, cancels) is carried out before it returns. */
export type OnExecution = (request: OrderRequest, price: Ticks, quantity: Steps, liquidity: Liquidity) => void

/**
 * Fills orders from klines. The path inside a kline is unknown, so it is pessimistic: what hurts and may have happened
 * happens, what helps happens only if it is certain. Order of events: the open (market orders, gaps), then stops,
 * then other orders as they were placed, then take-profits.
 */
export class KlineFillModel {
  readonly #instrument: Instrument
  readonly #settings: FillSettings
  readonly #onExecution: OnExecution
  #orders: ModelOrder[] = []
  /** Orders that came while a kline was being walked, and wait for the next. */
  #arriving: ModelOrder[] = []
  #kline: Kline | undefined
  #filling: { readonly request: OrderRequest; readonly atOpen: boolean } | undefined

  constructor(instrument: Instrument, settings: FillSettings, onExecution: OnExecution) {
    this.#instrument = instrument
    this.#settings = settings
    this.#onExecution = onExecution
  }

  /** Whether anything rests. */
  get isEmpty(): boolean {
    return this.#orders.length === 0
  }

  /** Takes an order in. Protective orders of the fill being booked work at once, all others from the next open. */
  place(request: OrderRequest): void {
    const entry = this.#entryOf(request)
    const order = modelOrder(this.#instrument, request, entry)
    if (this.#kline === undefined || entry !== undefined) this.#orders.push(order)
    else this.#arriving.push(order)
  }

  /** Takes an order out. */
  cancel(clientOrderId: string): void {
    const stays = (order: ModelOrder) => order.request.clientOrderId !== clientOrderId
    this.#orders = this.#orders.filter(stays)
    this.#arriving = this.#arriving.filter(stays)
  }

  /** Gives an order a new total quantity. */
  resize(clientOrderId: string, quantity: Steps): void {
    for (const order of [...this.#orders, ...this.#arriving]) {
      if (order.request.clientOrderId === clientOrderId) order.quantity = quantity
    }
  }

  /** First part of a kline: everything that trades at its open. */
  open(kline: Kline): void {
    this.#fillAll(kline, true, PRIORITIES_AT_OPEN)
  }

  /** Second part: everything that trades between open and close. */
  walk(kline: Kline): void {
    this.#fillAll(kline, false, PRIORITIES_INSIDE)
    for (const order of this.#orders) {
      trailAfter(order, kline)
      order.isNew = false
      order.triggeredInside = false
      order.entry = undefined
    }
    this.#orders.push(...this.#arriving)
    this.#arriving = []
  }

  /** Fills the first order that trades, and looks again, because every fill may place and cancel others. */
  #fillAll(kline: Kline, atOpen: boolean, priorities: readonly Priority[]): void {
    this.#kline = kline
    const executionOf = atOpen ? executionAtOpen : executionInside
    let next = this.#first(kline, priorities, executionOf)
    while (next !== undefined) {
      this.#fill(next.order, next.execution, atOpen)
      next = this.#first(kline, priorities, executionOf)
    }
    this.#kline = undefined
  }

  #first(
    kline: Kline,
    priorities: readonly Priority[],
    executionOf: typeof executionAtOpen,
  ): Trade | undefined {
    for (const belongs of priorities) {
      for (const order of this.#orders) {
        if (!belongs(order) || !this.#isLive(order, kline, executionOf === executionAtOpen)) continue
        const execution = executionOf(order, kline, this.#settings)
        if (execution !== undefined) return { order, execution }
      }
    }
    return undefined
  }

  /** Whether the settings let an order trade on this part of this kline. */
  #isLive(order: ModelOrder, kline: Kline, atOpen: boolean): boolean {
    if (isTakeProfit(order) && atOpen && this.#settings.stopLossFirst === 'always') {
      return !this.#orders.some(other => isProtectiveStop(other) && touchesStop(other, kline))
    }
    const { entry } = order
    if (entry === undefined || this.#settings.entryKlineProtection === 'all') return true
    return (
      entry.spec === 'market' ||
      (entry.spec === 'stop' && isTakeProfit(order) && !this.#isStopTouched(order, kline))
    )
  }

  /** Whether the kline touches a protective stop of the same entry. */
  #isStopTouched({ request }: ModelOrder, kline: Kline): boolean {
    return this.#orders.some(
      other =>
        other.request.protects === request.protects && isProtectiveStop(other) && touchesStop(other, kline),
    )
  }

  #fill(order: ModelOrder, execution: Execution, atOpen: boolean): void {
    const { request } = order
    this.cancel(request.clientOrderId)
    this.#filling = { request, atOpen }
    this.#onExecution(request, this.#priceWithSlippage(order, execution), order.quantity, execution.liquidity)
    this.#filling = undefined
  }

  #priceWithSlippage({ isBuy, limitPrice }: ModelOrder, { price, liquidity }: Execution): Ticks {
    const rounding = isBuy ? 'up' : 'down'
    if (liquidity === 'maker') return roundToTicks(this.#instrument, price, 'nearest')
    const sign = isBuy ? 1 : -1
    const slipped = roundToTicks(this.#instrument, price * (1 + sign * this.#settings.slippageRate), rounding)
    const paid = ticks(slipped + sign * this.#settings.slippageTicks)
    if (limitPrice === undefined) return paid
    const limit = roundToTicks(this.#instrument, limitPrice, 'nearest')
    return isBuy ? ticks(Math.min(paid, limit)) : ticks(Math.max(paid, limit))
  }

  #entryOf(request: OrderRequest): EntryOnThisKline | undefined {
    const filling = this.#filling
    if (filling === undefined || request.protects !== filling.request.clientOrderId) return undefined
    return { spec: filling.request.spec.type, atOpen: filling.atOpen }
  }
}

interface Trade {
  readonly order: ModelOrder
  readonly execution: Execution
}

type Priority = (order: ModelOrder) => boolean

const isMarket: Priority = ({ request }) => request.spec.type === 'market'
const isProtectiveStop: Priority = ({ request }) =>
  request.purpose === 'stopLoss' || request.purpose === 'trailingStop'
const isTakeProfit: Priority = ({ request }) => request.purpose === 'takeProfit'
const isOther: Priority = order => !isMarket(order) && !isProtectiveStop(order) && !isTakeProfit(order)

const PRIORITIES_AT_OPEN: readonly Priority[] = [isMarket, isProtectiveStop, isOther, isTakeProfit]
const PRIORITIES_INSIDE: readonly Priority[] = [isProtectiveStop, isOther, isTakeProfit]

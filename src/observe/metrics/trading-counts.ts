import type { MarketOf } from '../../config/configured-market.ts'
import type { EngineEvent, OrderUpdated } from '../../domain/events/engine-event.ts'
import type { EngineOutput, Notice } from '../../domain/events/engine-output.ts'
import { type Amount, add, amountToText, ZERO } from '../../domain/numbers/amount.ts'
import type { Order } from '../../domain/orders/order.ts'
import { wholeId } from '../../domain/orders/order-parts.ts'
import { isWorking, type OrderStatus } from '../../domain/orders/order-status.ts'
import type { SentRequest } from '../../execution/sent-requests.ts'
import type { NewEntry } from '../../journal/journal.ts'
import { TriggerBook } from '../../matching/trigger-book.ts'
import type { BotMeters } from './bot-meters.ts'
import type { Labels } from './metric-registry.ts'

/** Times of an order that works, ms of the venue's clock. */
interface WorkingOrder {
  status: OrderStatus
  readonly labels: Labels
  readonly decidedAt: number
  sentAt?: number
  canceledAt?: number
  hasAnswer?: boolean
  /** It waits for its price in the bot, or did: it counts only once it is sent. */
  readonly isKept: boolean
}

/** Counts orders, fills and denials, and times the steps of orders, from the entries of a bot. */
export class TradingCounts {
  readonly #meters: BotMeters
  readonly #accountOf: (symbol: string) => string
  readonly #orders = new Map<string, WorkingOrder>()
  /** Times at which orders of before the start were sent, ms of the venue's clock, until something is heard of them. */
  readonly #sentUnmet = new Map<string, number>()
  /** Fees so far by their labels. */
  readonly #fees = new Map<string, { readonly labels: Labels; readonly total: Amount }>()

  constructor(meters: BotMeters, marketOf: MarketOf) {
    this.#meters = meters
    this.#accountOf = symbol => marketOf(symbol).account
  }

  /** Takes the entry of an event or a request. */
  take({ kind, time, body, decisions }: NewEntry): void {
    if (kind === 'send') this.#send(body as SentRequest, time) // the body of that kind
    if (kind !== 'event') return
    const event = body as EngineEvent // the body of that kind
    if (event.type === 'orderUpdated') this.#answer(event, time)
    // Answers of the engine to an event.
    for (const output of (decisions ?? []) as readonly EngineOutput[]) this.#observe(output, time)
  }

  #observe(output: EngineOutput, time: number): void {
    if (output.type === 'placeOrder') {
      const { clientOrderId, strategy, symbol } = output.request
      const labels = this.#labels(strategy, symbol)
      const isKept = TriggerBook.holds(output.request)
      this.#orders.set(clientOrderId, { status: 'pending', labels, decidedAt: time, isKept })
    } else if (output.type === 'orderChanged') this.#change(output.order)
    else if (output.type === 'fillBooked') this.#fill(output, time)
    else if (output.type === 'denied') {
      const { rule, intent } = output.denial
      this.#meters.denials.add({ ...this.#labels(intent.strategy, intent.symbol), check: rule })
    }
  }

  /** Sums are exact, which those of a counter are not. */
  #pay(labels: Labels, fee: Amount): void {
    const key = JSON.stringify(labels)
    this.#fees.set(key, { labels, total: add(this.#fees.get(key)?.total ?? ZERO, fee) })
    const sums = [...this.#fees.values()]
    this.#meters.money?.fees.replace(sums.map(({ labels, total }) => [labels, Number(amountToText(total))]))
  }

  /** Takes an order up of before the start that waits for its price in the bot, or did until it was sent since then. */
  #meet(order: Order): void {
    const { clientOrderId, strategy, symbol, decidedAt } = order.request
    const sentAt = this.#sentUnmet.get(clientOrderId)
    if (this.#orders.has(clientOrderId) || (sentAt === undefined && !TriggerBook.hasKept(order))) return
    const labels = this.#labels(strategy, symbol)
    this.#orders.set(clientOrderId, { status: 'pending', labels, decidedAt, isKept: true })
    if (sentAt !== undefined) this.#send({ action: 'place', clientOrderId }, sentAt)
    this.#sentUnmet.delete(clientOrderId)
  }

  #change(order: Order): void {
    this.#meet(order)
    const { request, status } = order
    const { clientOrderId, strategy, symbol } = request
    const known = this.#orders.get(clientOrderId)
    if (known?.status === status) return
    if (known !== undefined) known.status = status
    const isUnsent = known?.isKept === true && known.sentAt === undefined
    if (!isUnsent) this.#meters.orders.add({ ...this.#labels(strategy, symbol), status })
    if (!isWorking(status)) this.#orders.delete(clientOrderId)
  }

  #fill({ fill, order }: Extract<Notice, { type: 'fillBooked' }>, time: number): void {
    const labels = this.#labels(order.request.strategy, fill.symbol)
    this.#meters.fills.add(labels)
    // A counter takes no rebates.
    if (fill.fee > 0n) this.#pay({ ...labels, asset: fill.feeAsset }, fill.fee)
    this.#meet(order)
    const sentAt = this.#orders.get(fill.clientOrderId)?.sentAt
    if (sentAt !== undefined) this.#time(labels, 'filled', sentAt, time)
    this.#change(order)
  }

  #send({ action, clientOrderId }: Pick<SentRequest, 'action' | 'clientOrderId'>, time: number): void {
    const id = wholeId(clientOrderId)
    const known = this.#orders.get(id)
    if (known === undefined) {
      if (action === 'place' && !this.#sentUnmet.has(id)) this.#sentUnmet.set(id, time)
      return
    }
    if (action === 'cancel') known.canceledAt = time
    else if (known.sentAt === undefined) {
      known.sentAt = time
      if (known.isKept) {
        known.status = 'submitted'
        this.#meters.orders.add({ ...known.labels, status: 'submitted' })
      } else this.#time(known.labels, 'sent', known.decidedAt, time)
    }
  }

  #answer({ clientOrderId, event }: OrderUpdated, time: number): void {
    const known = this.#orders.get(clientOrderId)
    if (known?.sentAt === undefined || event === 'submitted') return
    if (event === 'canceled' && known.canceledAt !== undefined)
      this.#time(known.labels, 'canceled', known.canceledAt, time)
    else if (!known.hasAnswer) this.#time(known.labels, 'answered', known.sentAt, time)
    known.hasAnswer = true
  }

  #time(labels: Labels, step: string, from: number, to: number): void {
    this.#meters.orderLatency.observe({ ...labels, step }, Math.max(0, to - from) / 1000)
  }

  #labels(strategy: string, symbol: string): Labels {
    return { strategy, symbol, account: this.#accountOf(symbol) }
  }
}

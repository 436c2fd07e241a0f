import type { EngineEvent } from '../../domain/events/engine-event.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { priceText, quantityText, type Steps } from '../../domain/numbers/grid.ts'
import type { Fill } from '../../domain/orders/fill.ts'
import type { Order } from '../../domain/orders/order.ts'
import { wholeId } from '../../domain/orders/order-parts.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { isWorking } from '../../domain/orders/order-status.ts'
import type { SentRequest } from '../../execution/sent-requests.ts'
import { ORDER_EVENTS } from './event-texts.ts'
import type { OrderRecord } from './order-record.ts'
import { forcedCloseRecord, newOrderRecord, quantityWithUnitOf } from './order-texts.ts'
import { type TrailingLevel, TrailingLevels } from './trailing-levels.ts'

/** Words of the step with which an order leaves. */
const SENT = 'sent to the exchange'

/** Orders with their timelines, by clientOrderId. */
export class OrderTimelines {
  readonly #most: number
  readonly #orders = new Map<string, OrderRecord>()
  /** When a request of an order was sent that is not answered yet, ms UTC. */
  readonly #sentAt = new Map<string, number>()
  readonly #trailing = new TrailingLevels()
  #dropped = 0

  /** Keeps at least `most` orders. */
  constructor(most: number) {
    this.#most = most
  }

  /** Oldest first. */
  get all(): readonly OrderRecord[] {
    return [...this.#orders.values()]
  }

  /** Number of orders that are over and are not kept any more. */
  get dropped(): number {
    return this.#dropped
  }

  of(clientOrderId: string): OrderRecord | undefined {
    return this.#orders.get(clientOrderId)
  }

  /** Levels of a trailing stop as they moved, oldest first; `undefined` for an order that does not trail. */
  levelsOf(clientOrderId: string): readonly TrailingLevel[] | undefined {
    return this.#trailing.of(clientOrderId)
  }

  /** A trailing stop moved at a time, ms UTC. */
  trail({ clientOrderId, best }: Extract<EngineEvent, { type: 'trailingStopMoved' }>, time: number): void {
    this.#trailing.move(clientOrderId, best, time)
  }

  /** An order was decided; `decision` is its number. */
  add(instrument: Instrument, request: OrderRequest, decision: number): void {
    const record = newOrderRecord(instrument, request, decision)
    record.steps.push({ time: request.decidedAt, what: 'decided, passed by every risk check' })
    this.#trailing.add(instrument, request)
    this.#keep(record)
  }

  /** The exchange or others closed a position at a time, ms UTC, without an order of this bot. */
  addForcedClose(instrument: Instrument, fill: Fill, order: Order, time: number): void {
    this.#keep(forcedCloseRecord(instrument, order.request))
    this.fill(instrument, fill, time)
    this.change(instrument, order, time)
  }

  #keep(record: OrderRecord): void {
    this.#orders.set(record.clientOrderId, record)
    if (this.#orders.size <= this.#most) return
    const oldest = this.#orders.values().find(({ endedAt }) => endedAt !== undefined)
    if (oldest === undefined) return
    this.#orders.delete(oldest.clientOrderId)
    this.#dropped++
    this.#trailing.delete(oldest.clientOrderId)
    // A cancel that an order did not wait for has no answer.
    this.#sentAt.delete(oldest.clientOrderId)
  }

  /** A request was sent at a time, ms UTC. */
  send({ action, clientOrderId, symbol }: SentRequest, time: number): void {
    const record = this.#orders.get(wholeId(clientOrderId))
    if (record === undefined) return
    this.#sentAt.set(record.clientOrderId, time)
    if (action === 'place') delete record.watchedBy
    const part = clientOrderId === record.clientOrderId ? '' : ` as part ${clientOrderId}`
    record.steps.push({
      time,
      what: `${action === 'place' ? SENT : 'cancel sent to the exchange'}${part} (${symbol})`,
    })
  }

  /** An event of an order came at a time, ms UTC. */
  observe(event: Extract<EngineEvent, { type: 'orderUpdated' }>, time: number): void {
    const record = this.#orders.get(event.clientOrderId)
    if (record === undefined) return
    const isAnswer = event.event !== 'submitted'
    const sentAt = isAnswer ? this.#sentAt.get(event.clientOrderId) : undefined
    if (isAnswer) this.#sentAt.delete(event.clientOrderId)
    const isWatched = event.event === 'accepted' && !record.steps.some(({ what }) => what.startsWith(SENT))
    if (isWatched) record.watchedBy = 'bot'
    // It was not submitted to anybody.
    if (isWatched && record.steps.at(-1)?.what === ORDER_EVENTS.submitted) record.steps.pop()
    record.steps.push({
      time,
      what: isWatched
        ? 'watched by the bot, not at the exchange'
        : (ORDER_EVENTS[event.event] ?? event.event),
      ...(sentAt !== undefined && { latencyMs: Math.round(time - sentAt) }),
      ...(event.reason !== undefined && { reason: event.reason }),
    })
    if (event.exchangeOrderId !== undefined) record.exchangeOrderId = event.exchangeOrderId
  }

  /** A fill was booked at a time, ms UTC. */
  fill(instrument: Instrument, fill: Fill, time: number): void {
    const record = this.#orders.get(fill.clientOrderId)
    if (record === undefined) return
    const [price, quantity] = [
      priceText(instrument, fill.price),
      quantityWithUnitOf(instrument, fill.quantity),
    ]
    const sentAt = this.#sentAt.get(fill.clientOrderId)
    this.#sentAt.delete(fill.clientOrderId)
    record.steps.push({
      time,
      what: `filled ${quantity} at ${price} ${instrument.quote} (${fill.liquidity})`,
      ...(sentAt !== undefined && { latencyMs: Math.round(time - sentAt) }),
    })
    const fee = `${amountToText(fill.fee)} ${fill.feeAsset}`
    record.fills.push({ time: fill.time, price, quantity, fee, liquidity: fill.liquidity })
  }

  /** The quantity of an order changed, because its position did. */
  resize(instrument: Instrument, clientOrderId: string, quantity: Steps): void {
    const record = this.#orders.get(clientOrderId)
    if (record !== undefined) record.quantity = quantityWithUnitOf(instrument, quantity)
  }

  /** The state of an order changed at a time, ms UTC. */
  change(
    instrument: Instrument,
    { request, status, filledQuantity, reason, exchangeOrderId }: Order,
    time: number,
  ): void {
    const record = this.#orders.get(request.clientOrderId)
    if (record === undefined) return
    record.quantity = quantityWithUnitOf(instrument, request.quantity)
    record.status = status
    record.filled = quantityText(instrument, filledQuantity)
    if (reason !== undefined) record.reason = reason
    if (exchangeOrderId !== undefined) record.exchangeOrderId = exchangeOrderId
    if (!isWorking(status)) record.endedAt ??= time
  }
}

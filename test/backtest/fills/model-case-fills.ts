import { KlineFillModel } from '../../../backtest/fills/kline-fill-model.ts'
import type { ModelFill } from '../../../backtest/fills/model-fill.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { ZERO } from '../../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../../src/domain/numbers/grid.ts'
import type { OrderDraft, OrderSpec } from '../../../src/domain/orders/order-request.ts'
import type { Position } from '../../../src/domain/position.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { requestOf } from '../../ledger/order-parts.ts'
import { CASE_MINUTE, type CaseOrder, caseFillText, type FillCase } from './fill-case.ts'

/** Prices and quantities are whole numbers. */
const WHOLE: Instrument = { ...MARGIN, pricePrecision: 0, quantityPrecision: 0 }

/** The fills that the fill model gives for a case. */
export function modelCaseFills(fillCase: FillCase): string[] {
  const session = new CaseSession(fillCase)
  const { klines, orders } = fillCase
  for (const [row, kline] of klines.entries()) {
    for (const order of orders) if (order.row === row) session.enter(order)
    session.play(kline)
    for (const order of orders)
      if (order.lives !== undefined && row === order.row + order.lives - 1) session.expire(order)
  }
  return session.fills
}

interface Held {
  readonly order: CaseOrder
  quantity: number
  /** Everything traded since nothing was held: what parts are parts of. */
  whole: number
  legs: Leg[]
}

interface Leg {
  readonly id: string
  readonly draft: Partial<OrderDraft>
  /** Where the part begins and ends; absent for the whole. */
  readonly part?: readonly [number, number]
  /** What its order in the model has filled; `undefined` while it has none. */
  inModel: number | undefined
  filled: number
}

/** Stands in for the engine: keeps protective orders equal to what is held of their entry. */
class CaseSession {
  readonly fills: string[] = []
  readonly #model: KlineFillModel
  readonly #held = new Map<string, Held>()

  constructor({ settings }: FillCase) {
    const onFill = (fill: ModelFill) => this.#book(fill)
    this.#model = new KlineFillModel({
      ...{ instrument: WHOLE, interval: '1m', settings, onFill, onEnd: () => {} },
      positions: () => this.#positions,
    })
  }

  enter(order: CaseOrder): void {
    this.#held.set(order.id, { order, quantity: 0, whole: 0, legs: [] })
    this.#place({
      clientOrderId: order.id,
      side: order.side,
      spec: specOf(order),
      quantity: steps(order.quantity),
      decidedAt: order.row * CASE_MINUTE,
      terms: order.isGrouped ? { oco: 'group' } : undefined,
    })
  }

  expire({ id }: CaseOrder): void {
    this.#model.remove(id)
  }

  play(kline: Kline): void {
    this.#model.open(kline)
    this.#model.walk(kline)
  }

  get #positions(): readonly Position[] {
    const { symbol } = WHOLE
    return [...this.#held.values()].flatMap(({ order, quantity }) => {
      if (quantity === 0) return []
      const direction = order.side === 'buy' ? 'long' : 'short'
      const lot = { clientOrderId: order.id, quantity: steps(quantity), price: ticks(0), time: 0, fee: ZERO }
      const lots = [{ ...lot, reason: 'entry' } as const]
      return [{ symbol, book: symbol, direction, quantity: steps(quantity), lots } as const]
    })
  }

  #place(draft: Partial<OrderDraft>): void {
    const request = requestOf(draft)
    this.#model.place(request, request.decidedAt, false)
  }

  #book({ request, price, quantity, liquidity, klineOpenTime }: ModelFill): void {
    const { clientOrderId } = request
    this.fills.push(caseFillText(klineOpenTime / CASE_MINUTE, clientOrderId, price, quantity, liquidity))
    const held = this.#held.get(request.protects ?? clientOrderId)
    if (held === undefined) throw new Error(`Nobody placed ${clientOrderId}.`)
    const leg = held.legs.find(({ id }) => id === clientOrderId)
    if (leg === undefined) this.#enterPart(held, price, quantity)
    else {
      held.quantity -= quantity
      leg.filled += quantity
      leg.inModel = (leg.inModel ?? 0) + quantity
    }
    this.#cover(held)
    if (held.quantity === 0) Object.assign(held, { legs: [], whole: 0 })
  }

  #enterPart(held: Held, price: number, quantity: number): void {
    const { order } = held
    if (held.legs.length === 0) held.legs = legsOf(order, price)
    held.quantity += quantity
    held.whole += quantity
    if (!order.isGrouped) return
    for (const other of this.#held.values())
      if (other.order.isGrouped && other !== held) this.#model.remove(other.order.id)
  }

  /** Brings every leg to what is held, and parts to what is left of them, the first ones first. */
  #cover(held: Held): void {
    let free = held.quantity
    for (const leg of held.legs) {
      let wanted = held.quantity
      if (leg.part !== undefined) {
        const [from, to] = leg.part.map(fraction => Math.floor(fraction * held.whole))
        wanted = Math.min(free, Math.max(0, (to ?? 0) - (from ?? 0) - leg.filled))
        free -= wanted
      }
      this.#bring(leg, wanted)
    }
  }

  #bring(leg: Leg, wanted: number): void {
    if (wanted === 0) {
      this.#model.remove(leg.id)
      leg.inModel = undefined
    } else if (leg.inModel !== undefined) this.#model.resize(leg.id, steps(leg.inModel + wanted))
    else {
      leg.inModel = 0
      this.#place({ ...leg.draft, quantity: steps(wanted) })
    }
  }
}

function legsOf({ id, side, stopLoss, takeProfit, parts, trailing }: CaseOrder, price: number): Leg[] {
  const sign = side === 'buy' ? 1 : -1
  const leg = (
    name: string,
    purpose: 'stopLoss' | 'takeProfit' | 'trailingStop',
    spec: OrderSpec,
    part?: readonly [number, number],
  ): Leg => ({
    id: `${id}-${name}`,
    draft: {
      clientOrderId: `${id}-${name}`,
      side: side === 'buy' ? 'sell' : 'buy',
      purpose,
      spec,
      reduceOnly: true,
      protects: id,
    },
    ...(part !== undefined && { part }),
    inModel: undefined,
    filled: 0,
  })
  const legs: Leg[] = []
  if (stopLoss !== undefined)
    legs.push(leg('stopLoss', 'stopLoss', { type: 'stop', stopPrice: ticks(price - sign * stopLoss) }))
  if (takeProfit !== undefined)
    legs.push(leg('takeProfit', 'takeProfit', { type: 'limit', price: ticks(price + sign * takeProfit) }))
  let from = 0
  for (const [index, { distance, fraction }] of (parts ?? []).entries()) {
    const spec = { type: 'limit', price: ticks(price + sign * distance) } as const
    legs.push(leg(`part${index}`, 'takeProfit', spec, [from, from + fraction]))
    from += fraction
  }
  if (trailing !== undefined) {
    const spec = { type: 'trailingStop', distance: ticks(trailing), anchor: ticks(price) } as const
    legs.push(leg('trailingStop', 'trailingStop', spec))
  }
  return legs
}

function specOf({ type, kind, stopPrice, price }: CaseOrder): OrderSpec {
  if (type === 'market') return { type }
  if (type === 'limit') return { type, price: ticks(price), ...(kind !== undefined && { kind }) }
  if (type === 'ifTouched') return { type, triggerPrice: ticks(stopPrice) }
  if (type === 'stop') return { type, stopPrice: ticks(stopPrice) }
  return { type, stopPrice: ticks(stopPrice), price: ticks(price) }
}

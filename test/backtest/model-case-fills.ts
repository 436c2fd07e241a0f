import { detailOf } from '../../backtest/detail-klines.ts'
import { KlineFillModel } from '../../backtest/kline-fill-model.ts'
import type { ModelFill } from '../../backtest/model-fill.ts'
import { type Steps, steps, ticks } from '../../src/domain/grid.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import type { Kline } from '../../src/domain/kline.ts'
import type { OrderDraft, OrderSpec } from '../../src/domain/order-request.ts'
import { columnsFrom } from '../../src/klines/kline-columns.ts'
import { MARGIN } from '../engine/desk-session.ts'
import { requestOf } from '../ledger/order-parts.ts'
import { CASE_MINUTE, type CaseOrder, caseFillText, type FillCase } from './fill-case.ts'

/** Prices and quantities are whole numbers. */
const WHOLE: Instrument = { ...MARGIN, pricePrecision: 0, quantityPrecision: 0 }

/** The fills that the fill model gives for a case. */
export function modelCaseFills(fillCase: FillCase): string[] {
  const session = new CaseSession(fillCase)
  const { klines, klinesPerDecision, orders } = fillCase
  for (let row = 0; row < klines.length; row += klinesPerDecision) {
    for (const order of orders) if (order.row === row) session.enter(order)
    for (const kline of partsOf(fillCase, row)) session.play(kline)
  }
  return session.fills
}

/** The klines that the model is shown for the one that a decision comes before. */
function partsOf({ klines, klinesPerDecision }: FillCase, row: number): Iterable<Kline> {
  const kline = klines[row]
  if (kline === undefined || klinesPerDecision === 1) return kline === undefined ? [] : [kline]
  return detailOf(kline, '5m', { klines: columnsFrom(klines), interval: '1m' })
}

interface Held {
  readonly order: CaseOrder
  quantity: number
  /** What each leg that works has filled. */
  legs: Map<string, number>
}

/** Stands in for the engine: keeps protective orders equal to what is held of their entry. */
class CaseSession {
  readonly fills: string[] = []
  readonly #model: KlineFillModel
  readonly #held = new Map<string, Held>()

  constructor({ settings }: FillCase) {
    const onFill = (fill: ModelFill) => this.#book(fill)
    this.#model = new KlineFillModel({ instrument: WHOLE, interval: '1m', settings, onFill })
  }

  enter(order: CaseOrder): void {
    this.#held.set(order.id, { order, quantity: 0, legs: new Map() })
    this.#place({
      clientOrderId: order.id,
      side: order.side,
      spec: specOf(order),
      quantity: steps(order.quantity),
      decidedAt: order.row * CASE_MINUTE,
    })
  }

  play(kline: Kline): void {
    this.#model.open(kline)
    this.#model.walk(kline)
  }

  #place(draft: Partial<OrderDraft>): void {
    this.#model.place(requestOf(draft))
  }

  #book({ request, price, quantity, liquidity, klineOpenTime }: ModelFill): void {
    const { clientOrderId } = request
    this.fills.push(caseFillText(klineOpenTime / CASE_MINUTE, clientOrderId, price, quantity, liquidity))
    const held = this.#held.get(request.protects ?? clientOrderId)
    if (held === undefined) throw new Error(`Nobody placed ${clientOrderId}.`)
    const filled = held.legs.get(clientOrderId)
    held.quantity += filled === undefined ? quantity : -quantity
    if (filled !== undefined) held.legs.set(clientOrderId, filled + quantity)
    if (held.quantity === 0) this.#release(held)
    else if (held.legs.size === 0) this.#protect(held, price)
    else for (const [id, done] of held.legs) this.#model.resize(id, steps(done + held.quantity))
  }

  #release(held: Held): void {
    for (const id of held.legs.keys()) this.#model.cancel(id)
    held.legs = new Map()
  }

  #protect(held: Held, price: number): void {
    const { id, side, stopLoss, takeProfit, trailing } = held.order
    const sign = side === 'buy' ? 1 : -1
    const leg = (purpose: 'stopLoss' | 'takeProfit' | 'trailingStop', spec: OrderSpec) => {
      held.legs.set(`${id}-${purpose}`, 0)
      this.#place({
        clientOrderId: `${id}-${purpose}`,
        side: side === 'buy' ? 'sell' : 'buy',
        purpose,
        spec,
        quantity: held.quantity as Steps, // a sum of steps
        reduceOnly: true,
        protects: id,
      })
    }
    if (stopLoss !== undefined) leg('stopLoss', { type: 'stop', stopPrice: ticks(price - sign * stopLoss) })
    if (takeProfit !== undefined)
      leg('takeProfit', { type: 'limit', price: ticks(price + sign * takeProfit) })
    if (trailing !== undefined)
      leg('trailingStop', { type: 'trailingStop', distance: ticks(trailing), anchor: ticks(price) })
  }
}

function specOf({ type, stopPrice, price }: CaseOrder): OrderSpec {
  if (type === 'market') return { type }
  if (type === 'limit') return { type, price: ticks(price) }
  if (type === 'stop') return { type, stopPrice: ticks(stopPrice) }
  return { type, stopPrice: ticks(stopPrice), price: ticks(price) }
}

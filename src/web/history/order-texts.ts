import type { OrderAssessed } from '../../domain/events/explanation.ts'
import { type Instrument, quantityUnit } from '../../domain/instrument.ts'
import { amountToText } from '../../domain/numbers/amount.ts'
import { priceOf, priceText, quantityText, type Steps } from '../../domain/numbers/grid.ts'
import type { Denial } from '../../domain/orders/denial.ts'
import type { OrderPlan } from '../../domain/orders/order-intent.ts'
import type { OrderRequest } from '../../domain/orders/order-request.ts'
import { pricesOf } from '../../risk/prices-of.ts'
import type { AssessedOrder } from './decision-record.ts'
import type { OrderRecord } from './order-record.ts'

/** A quantity with its unit. */
export function quantityWithUnitOf(instrument: Instrument, quantity: Steps): string {
  return `${quantityText(instrument, quantity)} ${quantityUnit(instrument)}`
}

/** An assessment with its figures as text. */
export function assessedOrder(instrument: Instrument, assessed: OrderAssessed): AssessedOrder {
  const { intent, equity, free, passed, quantity, denial } = assessed
  return {
    ...intentTexts(instrument, intent),
    ...(quantity !== undefined && { quantity: quantityWithUnitOf(instrument, quantity) }),
    equity: `${amountToText(equity)} ${instrument.quote}`,
    free: `${amountToText(free)} ${instrument.quote}`,
    passed,
    ...(denial !== undefined && { denial: denialTexts(denial) }),
  }
}

/** A denial whose assessment nobody listened to. */
export function deniedOrder(instrument: Instrument, denial: Denial): AssessedOrder {
  return { ...intentTexts(instrument, denial.intent), passed: [], denial: denialTexts(denial) }
}

/** A placed order whose assessment nobody listened to. */
export function approvedOrder(instrument: Instrument, request: OrderRequest): AssessedOrder {
  const { clientOrderId, side, purpose, quantity, referencePrice } = request
  return {
    ...{ clientOrderId, side, purpose, plan: planOf(instrument, request), passed: [] },
    wanted: quantityWithUnitOf(instrument, quantity),
    quantity: quantityWithUnitOf(instrument, quantity),
    price: `${priceText(instrument, referencePrice)} ${instrument.quote}`,
  }
}

/** A new order, on its way. */
export function newOrderRecord(instrument: Instrument, request: OrderRequest, decision: number): OrderRecord {
  const { clientOrderId, symbol, strategy, side, purpose, quantity, tag, protects, decidedAt } = request
  return {
    ...{ clientOrderId, symbol, strategy, side, purpose, decidedAt, decision },
    plan: planOf(instrument, request),
    ...(tag !== undefined && { tag }),
    ...(protects !== undefined && { protects }),
    quantity: quantityWithUnitOf(instrument, quantity),
    prices: pricesOf(request.spec).map(price => priceOf(instrument, price)),
    status: 'pending',
    filled: '0',
    steps: [],
    fills: [],
  }
}

function planOf(instrument: Instrument, { spec }: OrderRequest): string {
  return [spec.type, ...pricesOf(spec).map(price => priceText(instrument, price))].join(' ')
}

function intentTexts(instrument: Instrument, intent: Denial['intent']) {
  const { clientOrderId, side, purpose, plan, quantity, referencePrice } = intent
  return {
    ...{ clientOrderId, side, purpose, plan: wishText(plan) },
    wanted: `${amountToText(quantity)} ${instrument.base}`,
    price: `${priceText(instrument, referencePrice)} ${instrument.quote}`,
  }
}

function wishText({ type, ...terms }: OrderPlan): string {
  return [type, ...Object.values(terms).filter(value => typeof value === 'number')].join(' ')
}

function denialTexts({ rule, limit, actual, message }: Denial): NonNullable<AssessedOrder['denial']> {
  return { rule, limit, actual, message }
}

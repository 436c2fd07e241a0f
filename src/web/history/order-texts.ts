import { moneyText, percentText } from '../../bot/text/figures.ts'
import type { OrderAssessed } from '../../domain/events/explanation.ts'
import { type Instrument, quantityUnit } from '../../domain/instrument.ts'
import { type Amount, amountToText } from '../../domain/numbers/amount.ts'
import { decimalOf } from '../../domain/numbers/decimal.ts'
import { priceOf, priceText, quantityText, type Steps } from '../../domain/numbers/grid.ts'
import type { Denial } from '../../domain/orders/denial.ts'
import type { OrderPlan } from '../../domain/orders/order-intent.ts'
import type { OrderRequest, OrderSpec } from '../../domain/orders/order-request.ts'
import { orderWord } from '../../domain/orders/order-words.ts'
import type { Side } from '../../domain/orders/side.ts'
import { pricesOf } from '../../risk/prices-of.ts'
import { orderSpec } from '../../risk/to-grid.ts'
import type { AssessedOrder } from './decision-record.ts'
import type { OrderRecord } from './order-record.ts'

/** A quantity with its unit. */
export function quantityWithUnitOf(instrument: Instrument, quantity: Steps): string {
  return `${quantityText(instrument, quantity)} ${quantityUnit(instrument, quantity)}`
}

/** An assessment with its figures as text. */
export function assessedOrder(instrument: Instrument, assessed: OrderAssessed): AssessedOrder {
  const { intent, equity, free, passed, quantity, denial } = assessed
  return {
    ...intentTexts(instrument, intent),
    ...(quantity !== undefined && { quantity: quantityWithUnitOf(instrument, quantity) }),
    equity: moneyText(amountToText(equity), instrument.quote),
    free: moneyText(amountToText(free), instrument.quote),
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
    ...{ clientOrderId, side, purpose, plan: specText(instrument, request.spec), passed: [] },
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
    plan: specText(instrument, request.spec),
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

/** A close of a position without an order of this bot, as the order that the books have for it. */
export function forcedCloseRecord(instrument: Instrument, request: OrderRequest): OrderRecord {
  return { ...newOrderRecord(instrument, request, 0), plan: 'not an order of this bot' }
}

/** Type and prices of an order on the grid: `limit 59442.88`, `trailing stop by 118.89`. */
function specText(instrument: Instrument, spec: OrderSpec): string {
  const prices = pricesOf(spec).map(price => priceText(instrument, price))
  if (spec.type !== 'trailingStop') return [orderWord(spec.type), ...prices].join(' ')
  const distance = 'distance' in spec ? priceText(instrument, spec.distance) : percentText(spec.callbackRate)
  return [`${orderWord(spec.type)} by ${distance}`, ...prices.map(price => `active from ${price}`)].join(', ')
}

function intentTexts(instrument: Instrument, intent: Denial['intent']) {
  const { clientOrderId, side, purpose, plan, quantity, referencePrice } = intent
  return {
    ...{ clientOrderId, side, purpose, plan: planText(instrument, side, plan) },
    wanted: wantedText(instrument, quantity),
    price: `${priceText(instrument, referencePrice)} ${instrument.quote}`,
  }
}

/** A plan as its order has it on the grid; only its type where a price of it is on no grid, which its denial says. */
function planText(instrument: Instrument, side: Side, plan: OrderPlan): string {
  try {
    return specText(instrument, orderSpec(instrument, side, plan))
  } catch {
    return orderWord(plan.type)
  }
}

/** Decimals beyond the grid that a wanted quantity shows. */
const FINER_DECIMALS = 3

/** A quantity before it is put on the grid, in its unit: with the decimals of the grid, and at most three more. */
function wantedText(instrument: Instrument, quantity: Amount): string {
  const { contractSize, quantityPrecision } = instrument
  const base = decimalOf(amountToText(quantity))
  const units = contractSize === undefined ? base : base.div(decimalOf(amountToText(contractSize)))
  const near = units.toDecimalPlaces(quantityPrecision + FINER_DECIMALS)
  const shown = near.isZero() ? units.toSignificantDigits(2) : near
  const text = shown.toFixed(Math.max(quantityPrecision, shown.decimalPlaces()))
  return `${text} ${quantityUnit(instrument)}`
}

/** The key of the configuration that the message of a denial by a configured limit ends with. */
const DENIED_BY_KEY = /\(((?:strategies\[\]\.)?risk\.limits\.\w+)\)\.$/

function denialTexts({ rule, limit, actual, message }: Denial): NonNullable<AssessedOrder['denial']> {
  const [, key] = DENIED_BY_KEY.exec(message) ?? []
  return { rule, limit, actual, message, ...(key !== undefined && { key }) }
}

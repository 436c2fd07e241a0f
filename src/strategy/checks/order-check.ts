import { isRecord } from '../../domain/is-record.ts'
import { suggestion } from '../../domain/nearest-name.ts'
import type { OrderWish } from '../../domain/signal.ts'
import { type Fields, isPositive, shown } from '../given-fields.ts'

const PRICES: Readonly<Record<OrderWish['type'], readonly string[]>> = {
  market: [],
  limit: ['price'],
  stop: ['stopPrice'],
  stopLimit: ['stopPrice', 'price'],
  ifTouched: ['triggerPrice'],
}

const LIMIT_FIELDS = ['type', 'price', 'timeInForce', 'postOnly']
const TIMES_IN_FORCE: readonly unknown[] = ['GTC', 'IOC', 'FOK']
const ALL_TYPES = Object.keys(PRICES) as readonly OrderWish['type'][] // its keys are typed
const TARGET_TYPES: readonly OrderWish['type'][] = ['market', 'limit']

/** Problem of a signal's order, a sentence; `undefined` for a valid one. */
export function orderProblem({ type: signalType, order }: Fields): string | undefined {
  if (order === undefined) return undefined
  const possible = signalType === 'target' ? TARGET_TYPES : ALL_TYPES
  const type = isRecord(order) ? possible.find(name => name === order.type) : undefined
  if (!isRecord(order) || type === undefined) {
    return `Its order is ${shown(order)}, but must be of type ${possible.join(', ')}, with its prices.`
  }
  const wrong = PRICES[type].find(name => !isPositive(order[name]))
  if (wrong !== undefined)
    return `Its ${type} order has the ${wrong} ${order[wrong]}, but a price must be a finite number above 0.`
  return type === 'limit' ? limitProblem(order) : handlingProblem(type, order)
}

/** True if an order rests on the book or waits for its price, so that it can be canceled. */
export function isResting(order: unknown): boolean {
  if (!isRecord(order) || order.type === 'market') return false
  return order.timeInForce === undefined || order.timeInForce === 'GTC'
}

function limitProblem(order: Fields): string | undefined {
  for (const name in order) {
    if (!LIMIT_FIELDS.includes(name))
      return `A limit order has no field "${name}".${suggestion(name, LIMIT_FIELDS)}`
  }
  const { timeInForce, postOnly } = order
  if (timeInForce !== undefined && !TIMES_IN_FORCE.includes(timeInForce))
    return `Its timeInForce is ${shown(timeInForce)}, but must be one of ${TIMES_IN_FORCE.join(', ')}.`
  if (postOnly !== undefined && typeof postOnly !== 'boolean')
    return `Its postOnly is ${shown(postOnly)}, but must be true or false.`
  if (postOnly !== true || timeInForce === undefined || timeInForce === 'GTC') return undefined
  return `Its order is postOnly and ${timeInForce}, but a maker-only order cannot trade at once. Leave one of the two out.`
}

/**
 * Only limit orders have `timeInForce` and `postOnly`, only waiting orders have `triggerAtOnce`: no field may
 * be ignored silently.
 */
function handlingProblem(type: OrderWish['type'], order: Fields): string | undefined {
  const field = ['timeInForce', 'postOnly'].find(name => order[name] !== undefined)
  if (field !== undefined) return `Its ${type} order has the field ${field}, which is for limit orders only.`
  const { triggerAtOnce } = order
  if (triggerAtOnce === undefined) return undefined
  if (type === 'market')
    return 'Its market order has the field triggerAtOnce, which is for stop, stopLimit and ifTouched orders only.'
  if (typeof triggerAtOnce === 'boolean') return undefined
  return `Its triggerAtOnce is ${shown(triggerAtOnce)}, but must be true or false.`
}

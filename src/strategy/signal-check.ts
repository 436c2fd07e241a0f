import { suggestion } from '../domain/nearest-name.ts'
import type { Protection, Signal } from '../domain/signal.ts'

const FIELDS: Readonly<Record<Signal['type'], readonly string[]>> = {
  enter: ['type', 'direction', 'order', 'size', 'stopLoss', 'takeProfit', 'trailingStop', 'scaleIn', 'tag'],
  exit: ['type', 'direction', 'fraction', 'order', 'tag'],
  target: ['type', 'size', 'order', 'stopLoss', 'takeProfit', 'trailingStop', 'tag'],
  cancelEntries: ['type', 'tag'],
}

const ORDER_PRICES: Readonly<Record<string, readonly string[]>> = {
  market: [],
  limit: ['price'],
  stop: ['stopPrice'],
  stopLimit: ['stopPrice', 'price'],
}

const SIZES = ['quote', 'base', 'equityFraction', 'riskFraction']

/** What is wrong with something a handler returned, as a sentence; `undefined` when it is a signal. Types cannot promise this: prices may be NaN. */
export function signalProblem(signal: unknown): string | undefined {
  if (!isRecord(signal)) return `It returned ${String(signal)}, which is no signal.`
  const fields = fieldsOf(signal)
  if (fields === undefined)
    return `It returned a signal of type ${JSON.stringify(signal.type)}, which does not exist.`
  for (const name in signal) {
    if (!fields.includes(name))
      return `A signal "${signal.type}" has no field "${name}".${suggestion(name, fields)}`
  }
  // The rest is about fields that a cancelEntries signal does not have.
  if (signal.type === 'cancelEntries') return undefined
  return (
    directionProblem(signal) ??
    orderProblem(signal) ??
    sizeProblem(signal) ??
    fractionProblem(signal) ??
    protectionProblem('stopLoss', signal.stopLoss) ??
    protectionProblem('takeProfit', signal.takeProfit) ??
    protectionProblem('trailingStop', signal.trailingStop)
  )
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(signal: Fields): readonly string[] | undefined {
  const type = signal.type
  return typeof type === 'string' && Object.hasOwn(FIELDS, type) ? FIELDS[type as Signal['type']] : undefined
}

function directionProblem({ type, direction }: Fields): string | undefined {
  if (type !== 'enter' && (type !== 'exit' || direction === undefined)) return undefined
  if (direction === 'long' || direction === 'short') return undefined
  return `Its direction is ${JSON.stringify(direction)}, but must be "long" or "short".`
}

function orderProblem({ type: signalType, order }: Fields): string | undefined {
  if (order === undefined) return undefined
  const possible = signalType === 'enter' ? Object.keys(ORDER_PRICES) : ['market', 'limit']
  const type = isRecord(order) ? possible.find(name => name === order.type) : undefined
  if (!isRecord(order) || type === undefined) {
    return `Its order is ${shown(order)}, but must be of type ${possible.join(', ')}, with its prices.`
  }
  const wrong = ORDER_PRICES[type]?.find(name => !isPositive(order[name]))
  return (
    wrong &&
    `Its ${type} order has the ${wrong} ${order[wrong]}, but a price must be a finite number above 0.`
  )
}

function sizeProblem({ type, size }: Fields): string | undefined {
  if (size === undefined) return type === 'target' ? 'A target needs a size.' : undefined
  const entry = isRecord(size) && Object.keys(size).length === 1 ? Object.entries(size)[0] : undefined
  if (entry === undefined || !SIZES.includes(entry[0])) {
    return `Its size is ${shown(size)}; give exactly one of ${SIZES.join(', ')}.`
  }
  const [name, value] = entry
  if (type === 'target') {
    return typeof value === 'number' && Number.isFinite(value) && name !== 'riskFraction'
      ? undefined
      : `Its target size ${name} is ${value}, but must be a finite number of quote, base or equityFraction.`
  }
  return isPositive(value) ? undefined : `Its size ${name} is ${value}, but must be a finite number above 0.`
}

function fractionProblem({ fraction }: Fields): string | undefined {
  if (fraction === undefined || (isPositive(fraction) && fraction <= 1)) return undefined
  return `Its fraction is ${fraction}, but must be above 0 and at most 1.`
}

function protectionProblem(name: keyof Protection, value: unknown): string | undefined {
  if (value === undefined || (name !== 'trailingStop' && isPositive(value))) return undefined
  const distance = isRecord(value)
    ? (value.fraction ?? (name === 'trailingStop' ? value.distance : undefined))
    : undefined
  if (isPositive(distance)) return undefined
  return `Its ${name} is ${shown(value)}, but must be a price or a distance, finite and above 0.`
}

/** JSON that keeps NaN and Infinity readable. */
function shown(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return JSON.stringify(value, (_, part) =>
    typeof part === 'number' && !Number.isFinite(part) ? String(part) : part,
  )
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

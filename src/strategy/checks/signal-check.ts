import { isRecord } from '../../domain/is-record.ts'
import { suggestion } from '../../domain/nearest-name.ts'
import type { Signal } from '../../domain/signal.ts'
import { type Fields, isPositive, shown } from '../given-fields.ts'
import { isResting, orderProblem } from './order-check.ts'
import { protectionProblem } from './protection-check.ts'
import { quotesProblem } from './quotes-check.ts'

/** Fields of each type of signal. */
const FIELDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries<readonly string[]>({
    enter: [
      'type',
      'market',
      'direction',
      'order',
      'size',
      'stopLoss',
      'takeProfit',
      'trailingStop',
      'scaleIn',
      'expiresAfter',
      'oco',
      'keep',
      'tag',
    ],
    exit: ['type', 'market', 'direction', 'fraction', 'order', 'expiresAfter', 'tag'],
    target: ['type', 'market', 'size', 'order', 'stopLoss', 'takeProfit', 'trailingStop', 'tag'],
    cancelEntries: ['type', 'market', 'tag'],
    protect: ['type', 'market', 'stopLoss', 'takeProfit', 'trailingStop', 'tag'],
    quotes: ['type', 'market', 'quotes', 'name', 'tolerance'],
  } satisfies Record<Signal['type'], readonly string[]>).map(([type, fields]) => [type, new Set(fields)]),
)

const SIZES = ['quote', 'base', 'equityFraction', 'riskFraction']

/**
 * Problem of a handler's return value, a sentence; `undefined` for a signal that names only these `roles`.
 * Types do not guarantee this: prices may be NaN.
 */
export function signalProblem(signal: unknown, roles: readonly string[] = []): string | undefined {
  if (!isRecord(signal)) return `It returned ${String(signal)}, which is no signal.`
  if (typeof signal.then === 'function')
    return 'It returned a promise, but signals must be there when the handler returns: leave out async and await.'
  const fields = typeof signal.type === 'string' ? FIELDS.get(signal.type) : undefined
  if (fields === undefined)
    return `It returned a signal of type ${JSON.stringify(signal.type)}, which does not exist.`
  for (const name in signal) {
    if (!fields.has(name))
      return `A signal "${signal.type}" has no field "${name}".${suggestion(name, [...fields])}`
  }
  const problem = marketProblem(signal, roles)
  // These signals lack the fields of the checks below.
  if (problem !== undefined || signal.type === 'cancelEntries') return problem
  if (signal.type === 'quotes') return quotesProblem(signal)
  return (
    directionProblem(signal) ??
    orderProblem(signal) ??
    sizeProblem(signal) ??
    fractionProblem(signal) ??
    lifetimeProblem(signal) ??
    groupProblem(signal) ??
    keepProblem(signal) ??
    protectionProblem(signal)
  )
}

function marketProblem({ market }: Fields, roles: readonly string[]): string | undefined {
  if (market === undefined || roles.some(role => role === market)) return undefined
  if (roles.length === 0)
    return `Its market is ${shown(market)}, but the strategy declares no markets; leave it out, or declare markets: ['${String(market)}'].`
  return `Its market is ${shown(market)}, which the strategy does not declare.${suggestion(String(market), roles)}`
}

function directionProblem({ type, direction }: Fields): string | undefined {
  if (type !== 'enter' && (type !== 'exit' || direction === undefined)) return undefined
  if (direction === 'long' || direction === 'short') return undefined
  return `Its direction is ${JSON.stringify(direction)}, but must be "long" or "short".`
}

function sizeProblem({ type, size }: Fields): string | undefined {
  if (size === undefined) return type === 'target' ? 'A target needs a size.' : undefined
  const { maxEquityFraction: cap, ...given } = isRecord(size) ? size : {}
  const [entry, ...others] = Object.entries(given)
  if (entry === undefined || others.length > 0 || !SIZES.includes(entry[0])) {
    return `Its size is ${shown(size)}; give exactly one of ${SIZES.join(', ')}.`
  }
  const [name, value] = entry
  if (cap !== undefined && name !== 'riskFraction')
    return `Its size has the keys ${name} and maxEquityFraction, but maxEquityFraction only caps a riskFraction.`
  if (type === 'target') {
    return typeof value === 'number' && Number.isFinite(value) && name !== 'riskFraction'
      ? undefined
      : `Its target size ${name} is ${value}, but must be a finite number of quote, base or equityFraction.`
  }
  if (!isPositive(value)) return `Its size ${name} is ${value}, but must be a finite number above 0.`
  if (name === 'riskFraction' && value >= 1)
    return `Its size riskFraction is ${value}, but must be a fraction above 0 and below 1, such as 0.01 to risk 1% of the equity.`
  return cap === undefined || isPositive(cap)
    ? undefined
    : `Its size maxEquityFraction is ${shown(cap)}, but must be a finite number above 0.`
}

function fractionProblem({ fraction }: Fields): string | undefined {
  if (fraction === undefined || (isPositive(fraction) && fraction <= 1)) return undefined
  return `Its fraction is ${fraction}, but must be above 0 and at most 1.`
}

function lifetimeProblem({ expiresAfter, order }: Fields): string | undefined {
  if (expiresAfter === undefined) return undefined
  const [name, value] =
    isRecord(expiresAfter) && Object.keys(expiresAfter).length === 1
      ? (Object.entries(expiresAfter)[0] ?? [])
      : []
  if (!isPositive(value) || (name !== 'ms' && (name !== 'klines' || !Number.isInteger(value)))) {
    return `Its expiresAfter is ${shown(expiresAfter)}, but must be { klines } with a whole number above 0 or { ms } with a number above 0.`
  }
  return restingProblem('expiresAfter', order)
}

function groupProblem({ oco, order }: Fields): string | undefined {
  if (oco === undefined) return undefined
  if (typeof oco !== 'string' || oco === '')
    return `Its oco is ${shown(oco)}, but must be the name of a group.`
  return restingProblem('oco', order)
}

function keepProblem({ keep, order }: Fields): string | undefined {
  if (keep === undefined || keep === false) return undefined
  return keep === true
    ? restingProblem('keep', order)
    : `Its keep is ${shown(keep)}, but must be true or false.`
}

function restingProblem(field: string, order: unknown): string | undefined {
  if (isResting(order)) return undefined
  return `It has the field ${field}, but its order does not rest: it trades at once. Leave ${field} out, or give a limit, stop, stopLimit or ifTouched order.`
}

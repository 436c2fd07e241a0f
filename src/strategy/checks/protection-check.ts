import { isRecord } from '../../domain/is-record.ts'
import type { Protection } from '../../domain/signal.ts'
import { type Fields, isPositive, shown } from '../given-fields.ts'

/** Float noise by which a sum of fractions may exceed 1. */
const NOISE = 1e-9

/** Problem of a signal's protection, a sentence; `undefined` for a valid one. */
export function protectionProblem(signal: Fields): string | undefined {
  const { type, stopLoss, takeProfit, trailingStop } = signal
  if (type === 'protect' && stopLoss === undefined && takeProfit === undefined && trailingStop === undefined)
    return 'It protects with nothing; give stopLoss, takeProfit or trailingStop, as a level or as "none".'
  return (
    levelProblem('stopLoss', stopLoss, type) ??
    (Array.isArray(takeProfit) ? partsProblem(takeProfit) : levelProblem('takeProfit', takeProfit, type)) ??
    trailingStopsProblem(trailingStop, type)
  )
}

function levelProblem(name: keyof Protection, value: unknown, type: unknown): string | undefined {
  if (value === undefined) return undefined
  if (name === 'stopLoss' && isRecord(value) && isPositive(value.fraction) && value.fraction >= 1)
    return `Its stopLoss has the fraction ${value.fraction}, but that is a part of the entry price and must be below 1; 0.02 is 2%.`
  if (isLevel(value)) return undefined
  if (type === 'protect' && value === 'none') return undefined
  return `Its ${name} is ${shown(value)}, but must be a price or a distance, finite and above 0.`
}

/** True for a price or a `{ fraction }`. */
function isLevel(value: unknown): boolean {
  return isPositive(value) || (isRecord(value) && isPositive(value.fraction))
}

function trailingStopsProblem(value: unknown, type: unknown): string | undefined {
  if (value === undefined || (type === 'protect' && value === 'none')) return undefined
  if (!Array.isArray(value)) return trailingStopProblem(value)
  if (value.length === 0)
    return 'Its trailingStop is an empty list; leave it out, or name at least one trailing stop.'
  for (const one of value) {
    const problem = trailingStopProblem(one)
    if (problem !== undefined) return problem
  }
}

function trailingStopProblem(value: unknown): string | undefined {
  const { activation, ...distance } = isRecord(value) ? value : {}
  const [[name, length] = [], ...others] = Object.entries(distance)
  if (others.length > 0 || !TRAILING_DISTANCES.some(known => known === name) || !isPositive(length))
    return `Its trailingStop is ${shown(value)}, but must be { distance }, { fraction } or { callbackRate }, finite and above 0, and may have an activation beside.`
  if (name === 'callbackRate' && length >= 1)
    return `Its trailingStop has the callbackRate ${length}, but that is a fraction of the best price and must be below 1; 0.02 is 2%.`
  if (activation === undefined || isLevel(activation)) return undefined
  return `Its trailingStop has the activation ${shown(activation)}, but that must be a price or { fraction }, finite and above 0.`
}

const TRAILING_DISTANCES = ['distance', 'fraction', 'callbackRate'] as const

function partsProblem(parts: readonly unknown[]): string | undefined {
  if (parts.length === 0) return 'Its takeProfit is an empty list; leave it out, or name at least one part.'
  let sum = 0
  for (const part of parts) {
    if (!isRecord(part) || !isPositive(part.fraction))
      return `Its takeProfit has the part ${shown(part)}, but a part must be { at, fraction }, with a fraction above 0.`
    const problem = levelProblem('takeProfit', part.at ?? 'nothing', undefined)
    if (problem !== undefined)
      return `Its takeProfit has the part ${shown(part)}, whose "at" must be a price or { fraction }, finite and above 0.`
    sum += part.fraction
  }
  if (sum <= 1 + NOISE) return undefined
  return `The fractions of its takeProfit add up to ${sum}, but may be 1 at most.`
}

import type { Protection } from '../domain/signal.ts'
import { type Fields, isPositive, isRecord, shown } from './given-fields.ts'

/** A sum of fractions may be above 1 by the noise of floats. */
const NOISE = 1e-9

/** What is wrong with the protection of a signal, as a sentence. */
export function protectionProblem(signal: Fields): string | undefined {
  const { type, stopLoss, takeProfit, trailingStop } = signal
  if (type === 'protect' && stopLoss === undefined && takeProfit === undefined && trailingStop === undefined)
    return 'It protects with nothing; give stopLoss, takeProfit or trailingStop, as a level or as "none".'
  return (
    levelProblem('stopLoss', stopLoss, type) ??
    (Array.isArray(takeProfit) ? partsProblem(takeProfit) : levelProblem('takeProfit', takeProfit, type)) ??
    levelProblem('trailingStop', trailingStop, type)
  )
}

function levelProblem(name: keyof Protection, value: unknown, type: unknown): string | undefined {
  if (value === undefined || (name !== 'trailingStop' && isPositive(value))) return undefined
  if (type === 'protect' && value === 'none') return undefined
  const distance = isRecord(value)
    ? (value.fraction ?? (name === 'trailingStop' ? value.distance : undefined))
    : undefined
  if (isPositive(distance)) return undefined
  return `Its ${name} is ${shown(value)}, but must be a price or a distance, finite and above 0.`
}

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

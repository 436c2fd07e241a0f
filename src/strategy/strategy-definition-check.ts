import { suggestion } from '../domain/nearest-name.ts'
import { UsageError } from '../domain/sluice-error.ts'

const KEYS = [
  'name',
  'description',
  'parameters',
  'check',
  'indicators',
  'state',
  'warmUp',
  'onKline',
  'onFill',
  'onOrder',
]

/** Throws `UsageError` for a definition without a name, or with a key that nobody reads: a misspelt handler would never be called. */
export function requireDefinition(definition: { readonly name: string }): void {
  const { name } = definition
  // Types cannot promise it: a strategy file is not checked before it runs.
  if (typeof name !== 'string' || name === '') {
    throw new UsageError("A strategy needs a name: defineStrategy({ name: 'my-strategy', … }).")
  }
  const unknown = Object.keys(definition).find(key => !KEYS.includes(key))
  if (unknown === undefined) return
  throw new UsageError(`Strategy "${name}" has no part "${unknown}".${suggestion(unknown, KEYS)}`)
}

/** Throws `UsageError` for something among the indicators that is none. */
export function requireIndicators(strategy: string, indicators: Readonly<Record<string, unknown>>): void {
  for (const [name, indicator] of Object.entries(indicators)) {
    if (typeof indicator === 'object' && indicator !== null && 'update' in indicator) continue
    throw new UsageError(
      `The indicator "${name}" of strategy "${strategy}" is ${String(indicator)}, but must be what sma, ema, rsi, … or plugIn returns.`,
    )
  }
}

/** Throws `UsageError` for a warm-up that is no number of klines. */
export function requireWarmUp(strategy: string, warmUp: number): void {
  if (Number.isInteger(warmUp) && warmUp >= 0) return
  throw new UsageError(
    `Strategy "${strategy}" has a warm-up of ${warmUp}, but must have a whole number of klines, 0 or more.`,
  )
}

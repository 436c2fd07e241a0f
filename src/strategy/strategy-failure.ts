import { SluiceError } from '../domain/sluice-error.ts'
import { StrategyError } from './strategy-error.ts'

/** What a part of a strategy returns; throws `StrategyError` naming the part where it throws. */
export function asked<Answer>(strategy: string, part: string, call: () => Answer): Answer {
  try {
    return call()
  } catch (cause) {
    throw strategyFailure(strategy, part, cause)
  }
}

/** The error for something that a part of a strategy threw; an error of Sluice stays what it is. */
export function strategyFailure(strategy: string, part: string, cause: unknown): SluiceError {
  if (cause instanceof SluiceError) return cause
  const message = cause instanceof Error ? cause.message : String(cause)
  return new StrategyError(`Strategy "${strategy}" threw in ${part}: ${message}`, cause)
}

import { utcText } from '../domain/market-data/civil-date.ts'
import { SluiceError } from '../domain/sluice-error.ts'
import { StrategyError } from './strategy-error.ts'
import type { StrategyView } from './strategy-view.ts'

/** Where and when a handler is called. */
type Moment = Pick<StrategyView, 'instrument' | 'time'>

/** What a part of a strategy returns; throws `StrategyError` naming the part where it throws. */
export function asked<Answer>(strategy: string, part: string, call: () => Answer): Answer {
  try {
    return call()
  } catch (cause) {
    throw strategyFailure(strategy, part, cause)
  }
}

/** What a handler returns; throws `StrategyError` naming handler, instrument and market time where it throws. */
export function handled<Answer>(strategy: string, view: Moment, handler: string, call: () => Answer): Answer {
  try {
    return call()
  } catch (cause) {
    throw threwIn(strategy, view, handler, cause)
  }
}

/** The error for something that a handler threw; one that names its strategy already stays what it is. */
export function threwIn(strategy: string, view: Moment, handler: string, cause: unknown): StrategyError {
  if (cause instanceof StrategyError) return cause
  return handlerFailure(strategy, view, `threw in ${handler}: ${messageOf(cause)}`, cause)
}

/** The error for what a handler did: a sentence without its subject. */
export function handlerFailure(
  strategy: string,
  { instrument, time }: Moment,
  what: string,
  cause?: unknown,
): StrategyError {
  return new StrategyError(
    `Strategy "${strategy}" on ${instrument.symbol} at ${utcText(time)} ${what}`,
    cause,
  )
}

/** The error for something that a part of a strategy threw; an error of Sluice stays what it is. */
export function strategyFailure(strategy: string, part: string, cause: unknown): SluiceError {
  if (cause instanceof SluiceError) return cause
  return new StrategyError(`Strategy "${strategy}" threw in ${part}: ${messageOf(cause)}`, cause)
}

/** What an error says, or anything else that was thrown. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

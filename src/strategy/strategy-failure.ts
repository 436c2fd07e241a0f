import { utcText } from '../domain/market-data/civil-date.ts'
import { SluiceError } from '../domain/sluice-error.ts'
import { StrategyError } from './strategy-error.ts'
import type { StrategyView } from './strategy-view.ts'

/** Instrument and time of a handler's call. */
type Moment = Pick<StrategyView, 'instrument' | 'time'>

/** Calls a part of a strategy; if it throws, throws `StrategyError` naming the part. */
export function asked<Answer>(strategy: string, part: string, call: () => Answer): Answer {
  try {
    return call()
  } catch (cause) {
    throw strategyFailure(strategy, part, cause)
  }
}

/** Calls a handler; if it throws, throws `StrategyError` naming handler, instrument and market time. */
export function handled<Answer>(strategy: string, view: Moment, handler: string, call: () => Answer): Answer {
  try {
    return call()
  } catch (cause) {
    throw threwIn(strategy, view, handler, cause)
  }
}

/** Error for an exception of a handler; a `StrategyError` stays unchanged. */
export function threwIn(strategy: string, view: Moment, handler: string, cause: unknown): StrategyError {
  if (cause instanceof StrategyError) return cause
  return handlerFailure(strategy, view, `threw in ${handler}: ${messageOf(cause)}`, cause)
}

/** Error for a handler; `what` is a sentence without its subject. */
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

/** Error for an exception of a part of a strategy; an error of Sluice stays unchanged. */
export function strategyFailure(strategy: string, part: string, cause: unknown): SluiceError {
  if (cause instanceof SluiceError) return cause
  return new StrategyError(`Strategy "${strategy}" threw in ${part}: ${messageOf(cause)}`, cause)
}

/** Message of a thrown value. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

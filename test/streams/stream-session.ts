import type { Observable } from 'rxjs'
import type { SluiceError } from '../../src/domain/sluice-error.ts'
import type { Indicators } from '../../src/strategy/feeds/feed-indicator.ts'
import type { Signals } from '../../src/strategy/signals.ts'
import type { None } from '../../src/strategy/strategy-definition.ts'
import type { StreamStrategyDefinition } from '../../src/streams/define-stream-strategy.ts'
import { defineStreamStrategy, type Streams } from '../../src/streams/index.ts'
import { EngineSession } from '../engine/engine-session.ts'

/** A session of a stream strategy without parameters, on klines of a minute. */
export function sessionOf<I extends Indicators<never> = None>(
  signals: (streams: Streams<None, I, never, None, None>) => Observable<Signals>,
  rest: Omit<StreamStrategyDefinition<None, I, never, None, None>, 'name' | 'signals'> = {},
): EngineSession {
  return new EngineSession(
    defineStreamStrategy<None, never, None, None, I>({ ...rest, name: 'streams', signals }),
  )
}

/** The error that a session's strategy was stopped for. */
export function failureOf(session: EngineSession): SluiceError {
  const failure = session.outputs.find(output => output.type === 'strategyFailed')
  if (failure === undefined) throw new Error('The strategy has not failed.')
  return failure.error
}

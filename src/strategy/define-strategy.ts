import { UsageError } from '../domain/sluice-error.ts'
import { requireDefinition, requireFeeds } from './checks/strategy-definition-check.ts'
import { DefinedRun } from './defined-run.ts'
import type { Indicators } from './feeds/feed-indicator.ts'
import type { Feeds, KlineFeedName } from './feeds/feeds.ts'
import { type GivenParameter, type Parameters, parameterValues } from './parameters.ts'
import type { None, StrategyDefinition } from './strategy-definition.ts'
import { asked } from './strategy-failure.ts'
import type { StrategyRun } from './strategy-run.ts'
import type { StrategyView } from './strategy-view.ts'
import type { Timers } from './timers.ts'

const strategyMark = Symbol.for('sluice.strategy')

/**
 * Default export of a strategy file: checks parameters and starts runs. `P` are its parameters, which
 * `compose` passes to parts.
 */
export interface Strategy<P extends Parameters = Parameters> {
  readonly [strategyMark]: true
  readonly name: string
  readonly description: string
  readonly parameters: P
  /** Roles of its other instruments. */
  readonly markets: readonly string[]
  readonly timers: Timers
  /** Checks and completes parameters; throws `UsageError`. */
  parameterValues(given: Readonly<Record<string, GivenParameter>>): Readonly<Record<string, GivenParameter>>
  /** Its feeds besides its own klines; throws `UsageError` for wrong parameters and wrong feeds. */
  feeds(given: Readonly<Record<string, GivenParameter>>): Feeds
  /** Starts a run with fresh indicators and state; throws `UsageError` for wrong parameters. */
  start(given: Readonly<Record<string, GivenParameter>>, view: StrategyView): StrategyRun
}

/**
 * Makes a strategy from a definition; handlers get parameters, roles, feeds, indicators and state with their
 * exact types.
 */
export function defineStrategy<
  const P extends Parameters = None,
  const M extends string = never,
  F extends Feeds<M> = None,
  T extends Timers = None,
  I extends Indicators<KlineFeedName<F>> = None,
  S = undefined,
>(definition: StrategyDefinition<P, I, S, M, F, T>): Strategy<P> {
  requireDefinition(definition)
  const { name, markets = [] } = definition
  // Without `parameters`, P is its default, the empty record; likewise without `timers`.
  const parameters = definition.parameters ?? ({} as P)
  const valuesOf = (given: Readonly<Record<string, GivenParameter>>) => {
    const values = parameterValues(name, parameters, given)
    const problem = asked(name, 'check', () => definition.check?.(values))
    if (problem !== undefined)
      throw new UsageError(`Strategy "${name}" cannot use these parameters: ${problem}`)
    return values
  }
  const feedsOf = (values: ReturnType<typeof valuesOf>) => {
    const feeds = asked(name, 'feeds', () => definition.feeds?.(values)) ?? {}
    requireFeeds(definition, feeds)
    return feeds
  }
  return {
    [strategyMark]: true,
    name,
    description: definition.description ?? '',
    parameters,
    markets,
    timers: definition.timers ?? {},
    parameterValues: valuesOf,
    feeds: given => feedsOf(valuesOf(given)),
    start(given, view) {
      const values = valuesOf(given)
      return new DefinedRun({ definition, parameters: values, feeds: feedsOf(values), view })
    },
  }
}

/** True for a value from `defineStrategy`. */
export function isStrategy(value: unknown): value is Strategy {
  return typeof value === 'object' && value !== null && strategyMark in value
}

import type { Kline } from '../domain/market-data/kline.ts'
import type { KlineCursor, KlineSeries } from '../domain/market-data/kline-series.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { requireDefinition, requireFeeds } from './checks/strategy-definition-check.ts'
import { DefinedRun } from './defined-run.ts'
import type { Indicators } from './feeds/feed-indicator.ts'
import type { Datum, Feed, Feeds, KlineFeedName } from './feeds/feeds.ts'
import { type GivenParameter, type Parameters, parameterValues } from './parameters.ts'
import type { Signals } from './signals.ts'
import type { None, StrategyDefinition } from './strategy-definition.ts'
import type { StrategyError } from './strategy-error.ts'
import { asked } from './strategy-failure.ts'
import type { FillView, OrderView, StrategyView } from './strategy-view.ts'
import type { Timers } from './timers.ts'

/** One feed of a strategy at work. */
export interface FeedRun {
  readonly name: string
  readonly feed: Feed
  /** Klines to see before the first decision; 0 for what shows no klines. */
  readonly warmUp: number
  /** What was shown last; set before a run goes on after a restart. */
  latest: Datum | undefined
  /** Takes in what is shown, for `latest` and indicators. */
  update(datum: Datum): void
  /** Asks the strategy's handler of this feed, if it has one. */
  show(datum: Datum): Signals<string>
}

/** A strategy at work on its instruments. */
export interface StrategyRun {
  /** The strategy's own state, as `state` made it and handlers have changed it. */
  readonly memory: unknown
  /** Version of that state. */
  readonly memoryVersion: number
  /** Goes on with a state that was kept; throws `UsageError` for one that it cannot go on with. */
  restoreMemory(memory: unknown, version: number): void
  /** Klines it needs to see before its first decision. */
  readonly warmUp: number
  /** In the order of their declaration. */
  readonly feeds: readonly FeedRun[]
  /** Tells the indicators which klines come next: rows `from` to `to - 1`. */
  announce(klines: KlineSeries, from: number, to: number): void
  /** Feeds the indicators. */
  update(kline: Kline): void
  onKline(kline: Kline): Signals<string>
  /** `update` and `onKline` for each row before `to`, up to the first that is answered with signals. */
  onKlines(cursor: KlineCursor, to: number): Signals<string>
  onFill: ((fill: FillView) => Signals<string>) | undefined
  onOrder: ((order: OrderView) => Signals<string>) | undefined
  /** A timer was due at a time, ms UTC. */
  onTimer(name: string, time: number): Signals<string>
  onStart: (() => Signals<string>) | undefined
  onStop: (() => Signals<string>) | undefined
  /** Lets go of what it holds beside its memory: nothing is shown to it any more. */
  dispose?(): void
  /** Calls `onFailure` once, should the strategy fail after a handler has returned: in a promise that it left behind. */
  watch?(onFailure: (error: StrategyError) => void): void
}

const strategyMark = Symbol.for('sluice.strategy')

/** What a strategy file exports: everything needed to check parameters and to start runs. `P` are its parameters, which `compose` gives to parts. */
export interface Strategy<P extends Parameters = Parameters> {
  readonly [strategyMark]: true
  readonly name: string
  readonly description: string
  readonly parameters: P
  /** Roles of the further instruments that it needs. */
  readonly markets: readonly string[]
  readonly timers: Timers
  /** Checks and completes parameters; throws `UsageError`. */
  parameterValues(given: Readonly<Record<string, GivenParameter>>): Readonly<Record<string, GivenParameter>>
  /** What it sees beside its own klines; throws `UsageError` for wrong parameters and wrong feeds. */
  feeds(given: Readonly<Record<string, GivenParameter>>): Feeds
  /** Starts a run with fresh indicators and state; throws `UsageError` for wrong parameters. */
  start(given: Readonly<Record<string, GivenParameter>>, view: StrategyView): StrategyRun
}

/** Makes a strategy of a definition; every handler sees parameters, roles, feeds, indicators and state with their exact types. */
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
  // An absent `parameters` is P's default, the empty record; so is an absent `timers`.
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

/** Whether a value came from `defineStrategy`. */
export function isStrategy(value: unknown): value is Strategy {
  return typeof value === 'object' && value !== null && strategyMark in value
}

import { utcText } from '../domain/market-data/civil-date.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import { type KlineCursor, KlineRow, type KlineSeries } from '../domain/market-data/kline-series.ts'
import { announceTo } from '../indicators/formula-indicator.ts'
import { type Indicator, valuesOf } from '../indicators/indicator.ts'
import { requireCount, requireIndicators } from './checks/strategy-definition-check.ts'
import { DefinedFeed } from './feeds/defined-feed.ts'
import type { FeedIndicator } from './feeds/feed-indicator.ts'
import type { Feeds } from './feeds/feeds.ts'
import { RecentKlines } from './feeds/recent-klines.ts'
import type { Parameters, ParameterValues } from './parameters.ts'
import { RunContext } from './run-context.ts'
import type { Signals } from './signals.ts'
import type { StrategyDefinition } from './strategy-definition.ts'
import { asked, handled, strategyFailure, threwIn } from './strategy-failure.ts'
import type { StrategyRun } from './strategy-run.ts'
import { keptState, newState, stateVersion } from './strategy-state.ts'
import type { StrategyView } from './strategy-view.ts'

export interface DefinedRunOptions<P extends Parameters, I, S, M extends string, F, T> {
  readonly definition: StrategyDefinition<P, I, S, M, F, T>
  readonly parameters: ParameterValues<P>
  readonly feeds: Feeds
  readonly view: StrategyView
}

/** A handler of a feed or a timer. */
type NamedHandler<C> = (shown: unknown, context: C) => Signals<string>

/** A run of a definition. A class, so that every run of a process has the same shape and the same code. */
export class DefinedRun<P extends Parameters, I, S, M extends string, F, T> implements StrategyRun {
  readonly warmUp: number
  readonly feeds: readonly DefinedFeed[]
  readonly memoryVersion: number
  readonly onFill: StrategyRun['onFill']
  readonly onOrder: StrategyRun['onOrder']
  readonly onStart: StrategyRun['onStart']
  readonly onStop: StrategyRun['onStop']
  readonly #definition: StrategyDefinition<P, I, S, M, F, T>
  readonly #context: RunContext<P, I, S, M, F>
  readonly #indicators: readonly Indicator<unknown>[]
  /** The same and those of feeds, by name. */
  readonly #named: Readonly<Record<string, Indicator<unknown>>>
  readonly #history: RecentKlines | undefined

  constructor({ definition, parameters, feeds, view }: DefinedRunOptions<P, I, S, M, F, T>) {
    const { name } = definition
    this.#definition = definition
    const indicators = asked(name, 'indicators', () => definition.indicators?.(parameters)) ?? {}
    requireIndicators(name, indicators, feeds)
    const all = Object.entries(indicators)
    this.#indicators = all.flatMap(([, given]) => (isOfFeed(given) ? [] : [given]))
    const handlers = (definition.on ?? {}) as Readonly<
      Record<string, NamedHandler<RunContext<P, I, S, M, F>>>
    > // by the names of feeds and timers, each with its own datum
    this.feeds = Object.entries(feeds).map(([feedName, feed]) => {
      const followers = all.flatMap(([, given]) =>
        isOfFeed(given) && given.feed === feedName ? [given.indicator] : [],
      )
      const handler = handlers[feedName]
      const show = handler && ((datum: unknown) => handler(datum, this.#context))
      return new DefinedFeed({ strategy: name, name: feedName, feed, indicators: followers, show, view })
    })
    const length = historyOf(definition, parameters)
    this.#history = length === 0 ? undefined : new RecentKlines(length)
    const { state } = definition
    this.memoryVersion = stateVersion(state)
    this.#named = Object.fromEntries(
      all.map(([key, given]) => [key, isOfFeed(given) ? given.indicator : given]),
    )
    this.#context = new RunContext({
      parameters,
      indicators: this.#named,
      state: newState(name, state, parameters),
      view,
      feeds: Object.fromEntries(this.feeds.map(feed => [feed.name, feed])),
      history: this.#history,
    })
    const needed = Math.max(0, length, ...this.#indicators.map(indicator => indicator.requiredKlines))
    this.warmUp = asked(name, 'warmUp', () => definition.warmUp?.(parameters)) ?? needed
    requireCount(name, 'a warm-up', this.warmUp)
    const context = this.#context
    const { onFill, onOrder, onStart, onStop } = definition
    this.onFill =
      onFill && (fill => handled(name, context, 'onFill', () => definition.onFill?.(fill, context)))
    this.onOrder =
      onOrder && (order => handled(name, context, 'onOrder', () => definition.onOrder?.(order, context)))
    this.onStart = onStart && (() => handled(name, context, 'onStart', () => definition.onStart?.(context)))
    this.onStop = onStop && (() => handled(name, context, 'onStop', () => definition.onStop?.(context)))
  }

  get memory(): unknown {
    return this.#context.state
  }

  restoreMemory(memory: unknown, version: number): void {
    const { name, state } = this.#definition
    this.#context.state = keptState(name, state, memory, version)
  }

  announce(klines: KlineSeries, from: number, to: number): void {
    asked(this.#definition.name, 'an indicator, when klines were announced', () => {
      for (const indicator of this.#indicators) announceTo(indicator, klines, from, to)
    })
  }

  indicatorValues(): Readonly<Record<string, unknown>> {
    return valuesOf(this.#named)
  }

  update(kline: Kline): void {
    const indicators = this.#indicators
    try {
      // An index loop: an iterator costs more than most indicators.
      for (let index = 0; index < indicators.length; index++) indicators[index]?.update(kline)
    } catch (cause) {
      const where = `an indicator, on the kline of ${utcText(kline.openTime)}`
      throw strategyFailure(this.#definition.name, where, cause)
    }
    if (this.#history !== undefined) this.#history.push(kline)
  }

  onKline(kline: Kline): Signals<string> {
    // Not through `handled`: a closure per kline costs more than most handlers.
    try {
      return this.#definition.onKline?.(kline, this.#context)
    } catch (cause) {
      throw threwIn(this.#definition.name, this.#context, 'onKline', cause)
    }
  }

  /** The main loop of a quiet backtest: only indicators and handler. */
  onKlines(cursor: KlineCursor, to: number): Signals<string> {
    const { klines } = cursor
    while (cursor.next < to) {
      const kline = new KlineRow(klines, cursor.next++)
      this.update(kline)
      const signals = this.onKline(kline)
      if (signals !== undefined) return signals
    }
    return undefined
  }

  onTimer(name: string, time: number): Signals<string> {
    const handlers = this.#definition.on as
      | Readonly<Record<string, NamedHandler<RunContext<P, I, S, M, F>>>>
      | undefined // as in the constructor
    const handler = handlers?.[name]
    return (
      handler &&
      handled(this.#definition.name, this.#context, `on.${name}`, () => handler(time, this.#context))
    )
  }
}

function isOfFeed(
  given: Indicator<unknown> | FeedIndicator<string, Indicator<unknown>>,
): given is FeedIndicator<string, Indicator<unknown>> {
  return 'feed' in given
}

function historyOf<P extends Parameters>(
  {
    name,
    history = 0,
  }: Pick<StrategyDefinition<P, unknown, unknown, string, unknown, unknown>, 'name' | 'history'>,
  parameters: ParameterValues<P>,
): number {
  const length = typeof history === 'number' ? history : asked(name, 'history', () => history(parameters))
  requireCount(name, 'a history', length)
  return length
}

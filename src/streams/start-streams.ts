import type { Observable } from 'rxjs'
import type { Interval } from '../domain/market-data/interval.ts'
import type { Kline } from '../domain/market-data/kline.ts'
import { UsageError } from '../domain/sluice-error.ts'
import type { Indicator } from '../indicators/indicator.ts'
import { defineStrategy } from '../strategy/define-strategy.ts'
import { type Indicators, of, type ShownIndicators } from '../strategy/feeds/feed-indicator.ts'
import type { Feeds, KlineFeed } from '../strategy/feeds/feeds.ts'
import type { GivenParameter, Parameters, ParameterValues } from '../strategy/parameters.ts'
import type { Signals } from '../strategy/signals.ts'
import type { StrategyDeclarations } from '../strategy/strategy-definition.ts'
import type { StrategyRun } from '../strategy/strategy-run.ts'
import type { StrategyView } from '../strategy/strategy-view.ts'
import type { Timers } from '../strategy/timers.ts'
import type { StreamContext } from './stream-context.ts'
import { KLINES_REMEMBERED, MORE_REMEMBERED, type StreamMemory } from './stream-memory.ts'
import type { StreamRun } from './stream-run.ts'
import { StreamSupervisor } from './stream-supervisor.ts'
import { WarmUpKlines } from './warm-up-klines.ts'

/** Declarations of a strategy of streams. */
export type StreamDeclarations<P extends Parameters, I, M extends string, F, T> = Omit<
  StrategyDeclarations<P, I, undefined, M, F, T>,
  'state' | 'history'
>

/** Inputs of streams by name, untyped; the definition of a strategy has their types. */
export interface AnyStreams {
  readonly klines$: Observable<unknown>
  readonly fills$: Observable<unknown>
  readonly orders$: Observable<unknown>
  readonly feeds: Readonly<Record<string, Observable<unknown>>>
  readonly timers: Readonly<Record<string, Observable<unknown>>>
  readonly parameters: ParameterValues<Parameters>
  readonly indicators: ShownIndicators<Indicators>
  readonly context: StreamContext
}

/** Kline feeds, which indicators may follow. */
type KlineFeeds = Readonly<Record<string, KlineFeed>>

/** Parameters of the start of a run. */
interface Start {
  readonly given: Readonly<Record<string, GivenParameter>>
  readonly view: StrategyView
  readonly feeds: Feeds
  readonly remembers: 'klines' | undefined
}

/** Starts a run whose handlers emit all events to streams. */
export function startStreams(
  declarations: StreamDeclarations<Parameters, Indicators, string, Feeds, Timers>,
  signals: (streams: AnyStreams) => Observable<Signals<string>>,
  { given, view, feeds, remembers }: Start,
): StrategyRun {
  const { name, timers = {} } = declarations
  const unasked = new WarmUpKlines()
  let keeper: StreamSupervisor | undefined
  const askOn = (stream: string, datum: unknown): Signals<string> => {
    unasked.settle()
    return keeper?.invokeOn(stream, datum)
  }
  const askOnKline = (stream: string, kline: Kline, interval: Interval): Signals<string> => {
    unasked.take()
    return keeper?.invokeOnKline(stream, kline, interval)
  }
  const feeder = (stream: string, interval: Interval): Indicator<undefined> =>
    unasked.feeder(kline => keeper?.observeHistory(stream, kline, interval))
  const ofKlines = klineFeeds(feeds, view.interval)
  if (remembers === 'klines' && ofKlines[0] !== undefined) throw severalStreams(name, ofKlines[0][0])
  const run = defineStrategy<Parameters, string, KlineFeeds, Timers, Indicators, StreamMemory>({
    ...declarations,
    feeds: () => feeds as KlineFeeds, // checked by the definition; here all are treated alike
    indicators(parameters) {
      const indicators = declarations.indicators?.(parameters) ?? {}
      keeper = new StreamSupervisor(name, view, run =>
        signals({ ...streamsOf(run, feeds, timers), parameters, indicators: shownOf(indicators) }),
      )
      // Feeders are updated first, under names that no author would choose.
      const feeders = ofKlines.map(([feed, interval]) => [`(${feed})`, of(feed, feeder(feed, interval))])
      return { '(klines$)': feeder('klines$', view.interval), ...Object.fromEntries(feeders), ...indicators }
    },
    state: remembers === 'klines' ? KLINES_REMEMBERED : MORE_REMEMBERED,
    onKline: kline => askOnKline('klines$', kline, view.interval),
    onFill: fill => askOn('fills$', fill),
    onOrder: order => askOn('orders$', order),
    on: {
      ...Object.fromEntries(
        [...Object.keys(feeds), ...Object.keys(timers)].map(stream => [
          stream,
          (datum: unknown) => askOn(stream, datum),
        ]),
      ),
      ...Object.fromEntries(
        ofKlines.map(([feed, interval]) => [
          feed,
          (kline: unknown) => askOnKline(feed, kline as Kline, interval),
        ]),
      ),
    },
  }).start(given, view)
  return Object.assign(run, { dispose: () => keeper?.end() })
}

function severalStreams(name: string, feed: string): UsageError {
  return new UsageError(
    `The streams of strategy "${name}" remember klines only, but also get those of the feed "${feed}", and the order among them is not stored. Leave out remembers, or make longer klines of klines$ with resample.`,
  )
}

/** The kline feeds, with their intervals. */
function klineFeeds(feeds: Feeds, own: Interval): readonly (readonly [feed: string, interval: Interval])[] {
  return Object.entries(feeds).flatMap(([name, feed]) =>
    feed.type === 'klines' ? [[name, feed.interval ?? own] as const] : [],
  )
}

function streamsOf(
  run: StreamRun,
  feeds: Feeds,
  timers: Timers,
): Omit<AnyStreams, 'parameters' | 'indicators'> {
  const named = (names: object) =>
    Object.fromEntries(Object.keys(names).map(name => [name, run.stream(name)]))
  return {
    klines$: run.stream('klines$'),
    fills$: run.stream('fills$'),
    orders$: run.stream('orders$'),
    feeds: named(feeds),
    timers: named(timers),
    context: run.context,
  }
}

function shownOf(indicators: Indicators): ShownIndicators<Indicators> {
  return Object.fromEntries(
    Object.entries(indicators).map(([name, given]) => [name, 'feed' in given ? given.indicator : given]),
  )
}

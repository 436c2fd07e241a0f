import type { Notice } from '../../src/domain/events/engine-output.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { type Interval, intervalMs } from '../../src/domain/market-data/interval.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { SizingReference } from '../../src/engine/engine-options.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import { SharedLiquidity } from '../../src/matching/shared-liquidity.ts'
import type { TickRules } from '../fills/observed-fill-model.ts'
import type { PlayedMarket } from '../fills/played-market.ts'
import type { UncostedFill } from '../fills/simulated-fill.ts'
import type { SimulatedMarket } from '../fills/simulated-market.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import { fixedArrivals, type OrderArrivals } from '../models/order-arrivals.ts'
import { type SharedVolume, sharedVolume } from '../models/shared-volume.ts'
import { sessionArrivals } from '../ticks/session-arrivals.ts'
import type { SessionOrders, TickData } from '../ticks/tick-data.ts'
import { TickFeeds } from '../ticks/tick-feeds.ts'
import { TickObservations } from '../ticks/tick-observations.ts'
import type { FeedData } from './backtest-options.ts'
import { DataPlayer, type FeedPlayer, type FeedPlayerOptions, KlineFeedPlayer } from './feed-player.ts'
import { MarketPlayer } from './market-player.ts'
import { MergedTicks } from './merged-ticks.ts'
import { Replay, type ReplayOptions } from './replay.ts'
import type { Reveal } from './reveal.ts'
import { StretchPlayer } from './stretch-player.ts'
import { TickPlayer } from './tick-player.ts'

/** The markets that one strategy of an engine trades on and follows. */
export interface PlayedStrategy extends PlayedMarket {
  /** The instruments of its roles. */
  readonly roles?:
    | Readonly<Record<string, Omit<PlayedMarket, 'interval'> & Pick<PlayedStrategy, 'ticks'>>>
    | undefined
  /** Data of its feeds, by name. */
  readonly feeds?: Readonly<Record<string, FeedData>> | undefined
  /** Recorded ticks inside the klines; all markets of a run have some, or none has. */
  readonly ticks?: TickData | undefined
}

export interface PlaybackOptions {
  readonly engine: Engine
  /** One for each strategy of the engine, in their order. */
  readonly markets: readonly PlayedStrategy[]
  readonly fills: FillSettings
  readonly sizingReference: SizingReference
  /** Takes every notice of the engine, in order, and the replay that it is about. */
  readonly onNotice: (notice: Notice, replay: Replay) => void
  /** Takes every fill, just before it is booked. */
  readonly onFill?: (fill: UncostedFill) => void
  /** Shows klines as they are needed. */
  readonly reveal?: Reveal | undefined
  /** See `ReplayOptions`. */
  readonly feesOf?: ReplayOptions['feesOf']
  /** See `ReplayOptions`. */
  readonly onOrder?: () => void
  /** See `ReplayOptions`. */
  readonly onCut?: ReplayOptions['onCut']
  /** Data that no feed follows, shown before those of feeds; default: none. */
  readonly data?: readonly FeedPlayer[]
  /** True if there is one market, without roles, feeds and ticks; default: false. */
  readonly isAlone?: boolean
}

/** Everything that is played; `playThrough` has a loop for each type. */
export type Playback = StretchPlayback | MomentPlayback

/** A traded market that is played. */
export interface TradedPlayer {
  readonly replay: Replay
  readonly klines: KlineColumns
  /** Klines that have closed. */
  readonly played: number
}

interface AnyPlayback {
  readonly reveal: Reveal | undefined
  /** Market time that was reached, ms UTC. */
  time: number
}

/** A market that is alone: nothing but its own orders and its strategy acts between its klines. */
export interface StretchPlayback extends AnyPlayback {
  readonly type: 'stretches'
  readonly traded: readonly [StretchPlayer]
}

/** Markets and whatever else happens at moments of its own. */
export interface MomentPlayback extends AnyPlayback {
  readonly type: 'moments'
  /** Players of the traded markets, in the order of `closing`. */
  readonly traded: readonly MarketPlayer[]
  /** Every player that closes klines, in the order in which simultaneous closes are shown. */
  readonly closing: readonly (MarketPlayer | KlineFeedPlayer)[]
  /** Data that are no klines. */
  readonly data: readonly FeedPlayer[]
  /** Recorded ticks of the traded markets. */
  readonly ticks: MergedTicks | undefined
}

/** Sets up everything that is played; throws `UsageError` for a role without klines. */
export function playbackOf(options: PlaybackOptions): Playback {
  const { engine, markets, reveal } = options
  const replayOf = replaysOf(options)
  const [first] = markets
  if (options.isAlone === true && first !== undefined) {
    const only = new StretchPlayer(replayOf(first, first.instrument.symbol), first)
    return { type: 'stretches', traded: [only], reveal, time: Number.NaN }
  }
  const ranks = new Map(
    engine.klineStreams.map(({ symbol, interval }, rank) => [`${symbol} ${interval}`, rank]),
  )
  const data: FeedPlayer[] = [...(options.data ?? [])]
  const closing: Ranked[] = []
  const ticks: TickPlayer[] = []
  const fed = new Set<string>()
  markets.forEach((market, index) => {
    const runner = engine.runners[index]
    const start = market.klines.openTime[0] ?? Number.POSITIVE_INFINITY
    const close = (player: Ranked['player'], symbol: string, interval: Interval) =>
      closing.push({ player, length: intervalMs(interval), rank: ranks.get(`${symbol} ${interval}`) ?? 0 })
    const announces = reveal === undefined
    // A feed may place orders inside a kline.
    const looksAhead = announces && runner?.feeds.length === 0
    const players = (runner?.markets ?? []).map(({ role, symbol, book }) => {
      const of = role === undefined ? market : { interval: market.interval, ...requiredRole(market, role) }
      const player = new MarketPlayer(replayOf(of, book), of, announces, looksAhead)
      if (of.ticks !== undefined)
        ticks.push(tickPlayerOf(engine, player.replay, { ...of, ticks: of.ticks }, !fed.has(symbol)))
      fed.add(symbol)
      return { symbol, player }
    })
    const mine = players[0]?.player // that of its own market
    runner?.feeds.forEach(feed => {
      const { name = '', feed: of, symbol } = feed.followed
      const shown = market.feeds?.[name]
      if (mine === undefined || shown === undefined) return
      const applyOutputs: FeedPlayerOptions['applyOutputs'] = (outputs, time) =>
        mine.replay.market.applyOutputsAt(outputs, time)
      const parts = { engine, strategyIndex: index, feed, start, applyOutputs }
      if (shown.type === 'data') data.push(new DataPlayer(parts, shown.events))
      else if (of.type === 'klines')
        close(new KlineFeedPlayer(parts, shown.klines, of.interval), symbol, of.interval)
    })
    // Of one stream, a strategy sees its feeds before its own klines.
    for (const { symbol, player } of players.toReversed()) close(player, symbol, market.interval)
  })
  closing.sort((left, right) => right.length - left.length || left.rank - right.rank)
  const inTurn = closing.map(({ player }) => player)
  const traded = inTurn.filter(player => player instanceof MarketPlayer)
  const merged = ticks.length === 0 ? undefined : new MergedTicks(ticks)
  return { type: 'moments', traded, closing: inTurn, data, ticks: merged, reveal, time: Number.NaN }
}

/** A player that closes klines of a length, and its rank among streams of that length. */
interface Ranked {
  readonly player: MarketPlayer | KlineFeedPlayer
  readonly length: number
  readonly rank: number
}

function requiredRole({ roles = {} }: PlayedStrategy, role: string) {
  const market = roles[role]
  if (market === undefined)
    throw new UsageError(`There are no klines for the market "${role}"; give it some.`)
  return market
}

/** The player of a market's ticks. Feeds show every follower of a symbol, so that one player of a symbol `feeds` them. */
function tickPlayerOf(
  engine: Engine,
  replay: Replay,
  { klines, instrument, ticks }: Pick<PlayedStrategy, 'klines' | 'instrument'> & { readonly ticks: TickData },
  feeds: boolean,
): TickPlayer {
  const { symbol } = instrument
  const start = klines.openTime[0] ?? Number.POSITIVE_INFINITY
  const follows = feeds
    ? engine.runners.flatMap(runner => runner.feeds).filter(({ followed }) => followed.symbol === symbol)
    : []
  const fed = new TickFeeds(
    { symbol, books: ticks.books },
    follows.map(({ followed }) => followed.feed),
    start,
    (event, time) => replay.observe(event, time),
  )
  const observations = new TickObservations(instrument, ticks)
  return new TickPlayer({ replay, ticks, observations, start, feeds: fed.areNone ? undefined : fed })
}

/**
 * Makes the rules of each market's ticks for one run. The orders of a session are used up by all strategies together, and so is what
 * a recorded market shows.
 */
function tickRulesOf({ queue, latencyMs }: FillSettings, markets: readonly PlayedStrategy[]) {
  const sessions = new Map<string, OrderArrivals>()
  const arrivalsIn = (session: SessionOrders, instrument: Instrument) => {
    const key = `${instrument.symbol} ${session.id}`
    const arrivals = sessions.get(key) ?? sessionArrivals(session, instrument.symbol, instrument, latencyMs)
    sessions.set(key, arrivals)
    return arrivals
  }
  const liquidity = sharedLiquidity(markets)
  return ({ books, marks, session }: TickData, instrument: Instrument): TickRules => {
    const arrivals = session === undefined ? fixedArrivals(latencyMs) : arrivalsIn(session, instrument)
    return {
      queue,
      shared: liquidity.get(instrument.symbol),
      arrivals,
      hasBooks: books !== undefined,
      hasMarks: marks !== undefined,
    }
  }
}

/** The liquidity of each instrument that is traded more than once, by its symbol. */
function sharedLiquidity(markets: readonly PlayedStrategy[]): ReadonlyMap<string, SharedLiquidity> {
  const traded = markets.flatMap(({ instrument, roles = {} }) => [
    instrument.symbol,
    ...Object.values(roles).map(role => role.instrument.symbol),
  ])
  const repeated = traded.filter((symbol, place) => traded.indexOf(symbol) !== place)
  return new Map(repeated.map(symbol => [symbol, new SharedLiquidity()]))
}

/** Makes the replays of one account. */
function replaysOf(options: PlaybackOptions) {
  const { engine, fills, sizingReference, onNotice, onFill, feesOf, onOrder, onCut } = options
  const fillNumbers = { latest: 0 }
  const rulesOf = tickRulesOf(fills, options.markets)
  const peers: SimulatedMarket[] = []
  const volumes = new Map<string, SharedVolume | undefined>()
  const volumeOf = (instrument: Instrument) => {
    const { symbol } = instrument
    if (!volumes.has(symbol)) volumes.set(symbol, sharedVolume(fills.maxVolumeShare, instrument))
    return volumes.get(symbol)
  }
  return (
    { instrument, interval, detail, futures, ticks }: PlayedMarket & Pick<PlayedStrategy, 'ticks'>,
    book: string,
  ): Replay => {
    const replay: Replay = new Replay({
      engine,
      instrument,
      book,
      interval,
      fills,
      detail,
      ticks: ticks && rulesOf(ticks, instrument),
      sizingReference,
      onNotice: notice => onNotice(notice, replay),
      onFill,
      feesOf,
      onOrder,
      onCut,
      fillNumbers,
      futures,
      peers,
      volume: volumeOf(instrument),
    })
    return replay
  }
}

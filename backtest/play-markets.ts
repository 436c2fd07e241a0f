import type { Notice } from '../src/domain/engine-output.ts'
import type { Instrument } from '../src/domain/instrument.ts'
import type { Interval } from '../src/domain/interval.ts'
import { intervalMs } from '../src/domain/interval.ts'
import type { Engine } from '../src/engine/engine.ts'
import type { SizingReference } from '../src/engine/engine-options.ts'
import type { KlineColumns } from '../src/klines/kline-columns.ts'
import type { DetailKlines } from './detail-klines.ts'
import type { FillSettings } from './fill-settings.ts'
import type { FuturesData } from './futures/futures-data.ts'
import { BLOCK } from './kline-blocks.ts'
import { MarketPlayer } from './market-player.ts'
import type { Pausing } from './pausing.ts'
import { Replay } from './replay.ts'
import type { SimulatedFill } from './simulated-fill.ts'

/** Klines that one desk of an engine trades on. */
export interface PlayedMarket {
  readonly instrument: Instrument
  readonly interval: Interval
  readonly klines: KlineColumns
  readonly detail?: DetailKlines | undefined
  /** On a futures account: what is known of the contract beside its klines. */
  readonly futures?: FuturesData | undefined
}

/** What playing several markets takes. */
export interface PlayMarketsOptions {
  readonly engine: Engine
  /** One for each desk of the engine, in their order. */
  readonly markets: readonly PlayedMarket[]
  readonly fills: FillSettings
  readonly sizingReference: SizingReference
  /** Takes every notice of the engine, in order, and the replay that it is about. */
  readonly onNotice: (notice: Notice, replay: Replay) => void
  /** Takes every fill, just before it is booked. */
  readonly onFill?: (fill: SimulatedFill) => void
  /** Called once all klines that close at a time (ms UTC) have closed; `false` ends it all. */
  readonly onClosed?: (time: number, players: readonly MarketPlayer[]) => boolean
}

/**
 * Plays the klines of several markets on one account, all in one order of time. At any moment, first of all what traded
 * inside the klines that close then is booked; then these close, in the order of `compareKlineCloses` (as live), so that
 * whoever decides knows all that has happened; then orders trade at the opens of the klines that begin. Orders decided at a
 * close thus become live at the next open of their own market, which after a gap may be much later. Pauses every so many
 * klines.
 */
export function* playMarkets({ onClosed, ...options }: PlayMarketsOptions): Pausing<void> {
  const players = playersOf(options)
  const inTurn = inTurnOf(options.markets).map(index => players[index] as MarketPlayer) // one for each market
  for (;;) {
    const before = playedBy(inTurn)
    const goesOn = playSome(inTurn, onClosed)
    if (!goesOn) return
    yield playedBy(inTurn) - before
  }
}

/** Plays about a block of klines; returns whether there may be more. */
function playSome(players: readonly MarketPlayer[], onClosed: PlayMarketsOptions['onClosed']): boolean {
  for (let moments = 0; moments * players.length < BLOCK; moments++) {
    const time = nextTimeOf(players)
    if (time === Number.POSITIVE_INFINITY) return false
    if (closeAll(players, time) && onClosed?.(time, players) === false) return false
    for (const player of players) if (player.nextTime === time && player.isOpening) player.open()
  }
  return true
}

function playedBy(players: readonly MarketPlayer[]): number {
  return players.reduce((sum, { played }) => sum + played, 0)
}

function nextTimeOf(players: readonly MarketPlayer[]): number {
  let time = Number.POSITIVE_INFINITY
  for (const { nextTime } of players) if (nextTime < time) time = nextTime
  return time
}

/** Closes what closes at a time; returns whether anything did. */
function closeAll(players: readonly MarketPlayer[], time: number): boolean {
  let closes = false
  for (const player of players) {
    if (player.nextTime !== time || player.isOpening) continue
    player.walk()
    closes = true
  }
  if (!closes) return false
  for (const player of players) if (player.nextTime === time && !player.isOpening) player.close()
  return true
}

function playersOf(options: Omit<PlayMarketsOptions, 'onClosed'>): readonly MarketPlayer[] {
  const { engine, markets, fills, sizingReference, onNotice, onFill } = options
  const fillNumbers = { latest: 0 }
  const peers: Replay[] = []
  return markets.map(({ instrument, interval, klines, detail, futures }, index) => {
    const replay: Replay = new Replay({
      engine,
      instrument,
      book: engine.desks[index]?.book,
      interval,
      fills,
      detail,
      sizingReference,
      onNotice: notice => onNotice(notice, replay),
      onFill,
      fillNumbers,
      futures,
      peers,
    })
    return new MarketPlayer(replay, klines, interval)
  })
}

/** Markets in the order in which klines that close together are shown. Those of one stream are shown when the first of them is. */
function inTurnOf(markets: readonly PlayedMarket[]): readonly number[] {
  const rankOf = ({ instrument: { symbol }, interval }: PlayedMarket) =>
    markets.findIndex(other => other.instrument.symbol === symbol && other.interval === interval)
  return markets
    .map((market, index) => ({ index, rank: rankOf(market), length: intervalMs(market.interval) }))
    .sort((left, right) => right.length - left.length || left.rank - right.rank || left.index - right.index)
    .map(({ index }) => index)
}

import { rulesOf } from '../../src/domain/account-rules.ts'
import { closeTimeOf } from '../../src/domain/market-data/interval.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { Engine } from '../../src/engine/engine.ts'
import { PositionBooks } from '../../src/engine/position-books.ts'
import { klineAt } from '../../src/klines/kline-columns.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { followedFeeds } from '../../src/strategy/feeds/followed-feeds.ts'
import type { TickRules } from '../fills/observed-fill-model.ts'
import { MarginUse } from '../futures/margin-use.ts'
import { markCloses } from '../futures/mark-klines.ts'
import type { FillSettings } from '../models/fill-settings.ts'
import { fixedArrivals } from '../models/order-arrivals.ts'
import type { BacktestResult } from '../results/backtest-result.ts'
import type { TickData } from '../ticks/tick-data.ts'
import { TickFeeds } from '../ticks/tick-feeds.ts'
import { TickObservations } from '../ticks/tick-observations.ts'
import type { BacktestOptions } from './backtest-options.ts'
import { checkPath } from './check-path.ts'
import { checkTicks } from './check-ticks.ts'
import { type Collected, collect, nothingCollected, resultOf } from './collected.ts'
import { BLOCK } from './kline-blocks.ts'
import { Replay } from './replay.ts'
import type { Resumable } from './resumable.ts'
import { TickPlayer } from './tick-player.ts'

/** Runs a backtest of one market, with pauses; throws as `runBacktest` does. */
export function* resumableMarket(options: BacktestOptions): Resumable<BacktestResult> {
  const { klines, instrument, closeAtEnd } = options
  checkPath(options.fills, options)
  checkTicks(options)
  const ledger = new Ledger([instrument], options.balances)
  const collected = nothingCollected()
  const { engine, replay, playRows } = replayOf(options, ledger, collected)
  const equity = new Float64Array(klines.length)
  const use = rulesOf(instrument).holdsContracts ? new MarginUse(instrument.quote, ledger) : undefined
  const start = klines.openTime[0]
  if (start !== undefined) replay.turnSession('sessionStarted', start)
  const ruinedAt = yield* play(options, { engine, replay, playRows }, ledger, equity, use)
  const ruined = ruinedAt < klines.length
  if (ruined) {
    replay.closePosition(klineAt(klines, ruinedAt), klines.close[ruinedAt] as number, 'ruin') // a row
    equity[ruinedAt] = 0
  } else if (klines.length > 0 && closeAtEnd !== 'no') {
    const last = lastMoment(options)
    replay.closePosition(last, closeAtEnd === 'lastOpen' ? last.open : last.close, 'endOfData')
    equity[klines.length - 1] = ledger.equityAt(instrument, last.close)
  }
  const end = klines.openTime[Math.min(ruinedAt, klines.length - 1)]
  if (end !== undefined) replay.turnSession('sessionEnding', closeTimeOf(end, options.interval))
  const { all } = new PositionBooks(instrument)
  return resultOf(collected, {
    signals: engine.signals,
    equityTime: () => closeTimes(options),
    equity,
    openPositions: all.map(book => ledger.position(book)).filter(position => position !== undefined),
    workingOrders: ledger.orders.working.length,
    balances: new Map(ledger.balances.entries()),
    accounts: ledger.balances.isSingleAccount ? undefined : ledger.balances.snapshot(),
    ruined,
    margin: use?.figures,
    ended: {
      ...{ opening: options.balances, ledger, quote: instrument.quote, traded: [options], ruined },
      priceOf: () => closesOf(options)[Math.min(ruinedAt, klines.length - 1)] ?? Number.NaN,
    },
  })
}

/** Plays all klines and notes the equity at each close; returns the row at which the account was ruined, or how many there are. */
function* play(
  options: BacktestOptions,
  played: PlayedReplay,
  ledger: Ledger,
  equity: Float64Array,
  use: MarginUse | undefined,
): Resumable<number> {
  const { klines, interval, reveal } = options
  const close = closesOf(options)
  const block = reveal === undefined ? BLOCK : 1
  for (let from = 0; from < klines.length; from += block) {
    if (from > 0 && from % BLOCK === 0) yield BLOCK
    const to = Math.min(from + block, klines.length)
    if (reveal === undefined) played.replay.announce(klines, from, to)
    else reveal.closing(closeTimeOf(klines.openTime[from] as number, interval)) // a row
    const next = playBlock(options, from, to, close, played, ledger, equity, use)
    if (next < to) return next
  }
  return klines.length
}

function playBlock(
  { instrument }: BacktestOptions,
  from: number,
  to: number,
  close: Float64Array,
  { playRows }: PlayedReplay,
  ledger: Ledger,
  equity: Float64Array,
  use: MarginUse | undefined,
): number {
  // An exchange closes a margin account that owes more than it owns; a spot account cannot owe.
  const { owesBase, canBeShort } = rulesOf(instrument)
  let row = from
  while (row < to) {
    // An account that can owe must not see the kline after; contracts are only liquidated on the first of a
    // stretch.
    const next = playRows(row, owesBase ? row + 1 : to)
    ledger.noteEquity(instrument, close, row, next, equity)
    use?.noteRows(close, equity, row, next)
    if (canBeShort && (equity[row] as number) <= 0) return row // played, hence a row
    row = next
  }
  return to
}

/** The prices by which equity counts: those of the mark price, where there are some. */
function closesOf({ klines, interval, futures }: BacktestOptions): Float64Array {
  return futures?.mark === undefined ? klines.close : markCloses(klines, interval, futures.mark)
}

/** When each kline closed. */
function closeTimes({ klines, interval }: BacktestOptions): Float64Array {
  return klines.openTime.map(time => closeTimeOf(time, interval))
}

/**
 * A replay with the function that plays its rows `from` to `to - 1`, or a part of them, and returns the next
 * row.
 */
interface PlayedReplay {
  readonly engine: Engine
  readonly replay: Replay
  readonly playRows: (from: number, to: number) => number
}

function replayOf(options: BacktestOptions, ledger: Ledger, collected: Collected): PlayedReplay {
  const { instrument, interval, strategy, parameters, size, sizingReference, fills, detail, futures, risk } =
    options
  const { klines, ticks } = options
  const { symbol } = instrument
  const runner = { strategy, parameters, symbol, interval, size, risk: options.strategyRisk }
  const isObserved = options.onNotice !== undefined
  const engine = new Engine({
    bot: 'backtest',
    ledger,
    strategies: [runner],
    sizingReference,
    risk,
    isObserved,
  })
  const replay: Replay = new Replay({
    engine,
    instrument,
    interval,
    fills,
    detail,
    ticks: ticks && tickRules(fills, ticks),
    futures,
    sizingReference,
    onNotice: notice => {
      collect(collected, notice, replay)
      options.onNotice?.(notice)
    },
    onOrder: () => {
      collected.orders++
    },
    onFill: fill => collected.fills.push(fill),
  })
  if (ticks === undefined)
    return { engine, replay, playRows: (from, to) => replay.playRows(klines, from, to) }
  const follows = followedFeeds(strategy, { parameters, symbol, interval }).map(({ feed }) => feed)
  const start = klines.openTime[0] ?? Number.POSITIVE_INFINITY
  const shown = { symbol, books: ticks.books }
  const feeds = new TickFeeds(shown, follows, start, (event, time) => replay.observe(event, time))
  const observations = new TickObservations(instrument, ticks)
  const player = new TickPlayer({ replay, ticks, observations, klines, interval, feeds })
  return { engine, replay, playRows: from => player.playRow(from) }
}

function tickRules({ queue, latencyMs }: FillSettings, { books, arrivals }: TickData): TickRules {
  return { queue, arrivals: arrivals ?? fixedArrivals(latencyMs), hasBooks: books !== undefined }
}

/** The last kline; with recorded trades, as of its end, since fills may lie inside it. */
function lastMoment({ klines, interval, ticks }: BacktestOptions): Kline {
  const last = klineAt(klines, klines.length - 1)
  return ticks === undefined ? last : { ...last, openTime: closeTimeOf(last.openTime, interval) - 1 }
}

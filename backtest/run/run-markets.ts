import { rulesOf } from '../../src/domain/account-rules.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import type { Position } from '../../src/domain/position.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import { UsageError } from '../../src/domain/sluice-error.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { StrategyRunnerOptions } from '../../src/engine/engine-options.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import type { BacktestResult } from '../results/backtest-result.ts'
import { AccountCurve } from './account-curve.ts'
import type { BacktestMarket, MarketsBacktestOptions } from './backtest-options.ts'
import { checkPath } from './check-path.ts'
import { checkTicks } from './check-ticks.ts'
import { type Collected, collect, nothingCollected, resultOf } from './collected.ts'
import { checkFeeds, isAlone } from './feed-data.ts'
import { playThrough } from './play-markets.ts'
import { type Playback, type PlaybackOptions, playbackOf, type TradedPlayer } from './playback.ts'
import { playedMarketsOf } from './played-markets-of.ts'
import type { Resumable } from './resumable.ts'
import { StretchCurve } from './stretch-curve.ts'

/** Finished orders that the ledger of a run keeps: few, since no fill comes late there, and what is kept costs the garbage collector. */
const REMEMBERED_ORDERS = 500

/** A run before its first kline. */
export interface StartedRun {
  readonly engine: Engine
  readonly ledger: Ledger
  readonly playback: Playback
  /** Asset that equity is counted in. */
  readonly quote: string
}

/** Sets a run up; throws as `runBacktest`. `listeners` take what happens in it. */
export function startedRun(
  options: MarketsBacktestOptions,
  listeners: Pick<PlaybackOptions, 'onNotice' | 'onOrder' | 'onFill' | 'onCut'>,
): StartedRun {
  const { markets, balances, fills, sizingReference, risk, reveal } = options
  const quote = quoteOf(options)
  const isAlone = isPlayedAlone(options)
  checkData(options, isAlone)
  const ledger = new Ledger(instrumentsOf(markets), balances, REMEMBERED_ORDERS)
  const strategies = markets.map(runnerOptionsOf)
  const isObserved = options.onNotice !== undefined
  // Volume that a kline's orders have used up is not there again before the next one; ticks show what is there at any time.
  const exitsAtOnce = markets.some(({ ticks }) => ticks !== undefined) ? undefined : 0
  const rules = { sizingReference, exitsAtOnce, risk }
  const engine = new Engine({ bot: 'backtest', ledger, strategies, ...rules, isObserved })
  engine.explainTo(options.explain)
  const playback = playbackOf({ engine, markets, fills, sizingReference, isAlone, reveal, ...listeners })
  return { engine, ledger, playback, quote }
}

/** Positions that a run holds, in the order of its markets and their books. */
export function openPositionsOf({ engine, ledger }: StartedRun): readonly Position[] {
  const books = engine.runners.flatMap(runner => runner.markets).flatMap(market => market.books.all)
  return books.map(book => ledger.position(book)).filter(position => position !== undefined)
}

/** Indices of the positions that depend on the path inside a kline. */
function ambiguousAmong(positions: readonly Position[], traded: readonly TradedPlayer[]): readonly number[] {
  return positions.flatMap((position, place) =>
    traded.some(({ replay }) => replay.isAmbiguousPosition(position)) ? [place] : [],
  )
}

/** Runs strategies, each on its market, on one account, with pauses; throws as `runBacktest` does. */
export function* resumableMarkets(options: MarketsBacktestOptions): Resumable<BacktestResult> {
  const { markets, balances, closeAtEnd } = options
  const collected = nothingCollected(symbol => run.ledger.instrument(symbol))
  const run: StartedRun = startedRun(options, {
    onNotice: (notice, replay) => {
      collect(collected, notice, replay)
      options.onNotice?.(notice)
    },
    onOrder: () => {
      collected.orders++
    },
    onFill: fill => collected.fills.push(fill),
    onCut: (order, ending) => collected.cutOrders.push(order, ending),
  })
  const { engine, ledger, playback, quote } = run
  const isAlone = playback.type === 'stretches'
  const curve = isAlone
    ? new StretchCurve(playback.traded[0], ledger, closeAtEnd)
    : new AccountCurve(playback, options, ledger, quote)
  yield* playThrough(playback, () => {
    const goesOn = curve.record()
    options.onClosed?.(playback.time)
    return goesOn
  })
  const openPositions = openPositionsOf(run)
  const rest = {
    signals: engine.signals,
    equityTime: curve.times,
    equity: curve.equity,
    openPositions,
    ambiguousOpenPositions: ambiguousAmong(openPositions, playback.traded),
    workingOrders: ledger.orders.working.length,
    balances: new Map(ledger.balances.entries()),
    accounts: ledger.balances.isSingleAccount ? undefined : ledger.balances.snapshot(),
    ruined: curve.isRuined,
    margin: curve.margin,
    ended: {
      ...{ opening: balances, ledger, quote, traded: markets.flatMap(playedMarketsOf) },
      priceOf: curve.priceOf,
      ruined: curve.isRuined,
    },
  }
  return resultOf(collected, rest, isAlone ? undefined : inTimeOrder(collected))
}

/** True if there is one market, and nothing happens between its klines but what they tell. */
function isPlayedAlone({ markets, onClosed }: MarketsBacktestOptions): boolean {
  const [only, ...others] = markets
  if (only === undefined || others.length > 0 || onClosed !== undefined) return false
  return isAlone(only) && only.ticks === undefined
}

/** Throws `UsageError` where data and settings do not fit together. */
function checkData({ markets, ...account }: MarketsBacktestOptions, alone: boolean): void {
  for (const market of markets) {
    if (market.ticks !== undefined) checkTicks({ ...account, ...market })
    else if (!alone) checkFeeds(market)
    for (const traded of playedMarketsOf(market)) checkPath(account.fills, traded)
  }
  requireOneKind(markets)
}

function runnerOptionsOf({
  instrument: { symbol },
  strategy,
  parameters,
  interval,
  size,
  strategyRisk: risk,
  roles = {},
}: BacktestMarket): StrategyRunnerOptions {
  const markets = Object.fromEntries(
    Object.entries(roles).map(([role, of]) => [role, { symbol: of.instrument.symbol, size: of.size }]),
  )
  return { strategy, parameters, symbol, interval, size, risk, markets }
}

/**
 * The quote asset of the accounts. Spot and futures accounts combine if both have balances. A margin account
 * runs by itself, because its ruin is separate from theirs.
 */
function quoteOf({ markets, balances }: MarketsBacktestOptions): string {
  const [first, ...others] = markets.flatMap(playedMarketsOf)
  if (first === undefined) throw new UsageError('A backtest needs at least one market; give it one.')
  const { quote, accountType } = first.instrument
  const areApart = !(Symbol.iterator in balances)
  for (const { instrument } of others) {
    if (instrument.quote !== quote) {
      throw new UsageError(
        `${first.instrument.symbol} is counted in ${quote} and ${instrument.symbol} in ${instrument.quote}, but one account has one worth; run them one by one.`,
      )
    }
    if (instrument.accountType === accountType) continue
    if (areApart && ![first.instrument, instrument].some(one => rulesOf(one).owesBase)) continue
    throw new UsageError(
      `${first.instrument.symbol} is traded on a ${accountType} account and ${instrument.symbol} on a ${instrument.accountType} account; run them one by one${areApart ? '' : ', or give each account its balances'}.`,
    )
  }
  return quote
}

/** Throws `UsageError` if some markets have recorded ticks and others have none. */
function requireOneKind(markets: readonly BacktestMarket[]): void {
  const traded = markets.flatMap(market => [market, ...Object.values(market.roles ?? {})])
  const [recorded, other] = [true, false].map(isTicks =>
    traded.find(({ ticks }) => (ticks !== undefined) === isTicks),
  )
  if (recorded === undefined || other === undefined) return
  throw new UsageError(
    `The data of ${recorded.instrument.symbol} are trades and those of ${other.instrument.symbol} klines, which do not tell what happened between; give trades of all, or klines of all.`,
  )
}

/** Each instrument once, for several strategies and intervals may share one. */
function instrumentsOf(markets: readonly BacktestMarket[]): readonly Instrument[] {
  const bySymbol = new Map(
    markets.flatMap(playedMarketsOf).map(({ instrument }) => [instrument.symbol, instrument]),
  )
  return [...bySymbol.values()]
}

/**
 * A fill has the time of its kline. One inside a long kline is only known at its close, after fills of shorter klines that
 * are later, so that the lists are sorted once more; `undefined` where there were none.
 */
function inTimeOrder({ fills, roundTrips, ambiguousRoundTrips }: Collected) {
  if (fills.isInOrder) return undefined
  const exits = roundTrips.all
  const rows = exits.map((_, row) => row)
  rows.sort((left, right) => exitTimeAt(exits, left) - exitTimeAt(exits, right))
  const isAmbiguous = new Set(ambiguousRoundTrips)
  return {
    fills: fills.all.toSorted((left, right) => left.time - right.time),
    roundTrips: rows.map(row => exits[row] as RoundTrip), // each row once
    ambiguousRoundTrips: rows.flatMap((row, place) => (isAmbiguous.has(row) ? [place] : [])),
  }
}

function exitTimeAt(roundTrips: readonly RoundTrip[], row: number): number {
  return roundTrips[row]?.exitTime ?? Number.NaN
}

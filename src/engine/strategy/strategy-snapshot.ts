import type { Kline } from '../../domain/market-data/kline.ts'
import { StrategyError } from '../../strategy/strategy-error.ts'
import type { StrategyRun } from '../../strategy/strategy-run.ts'
import type { StrategyRunnerOptions } from '../engine-options.ts'
import type { SeenKlines, StrategyIdentity, StrategyRunnerState } from '../engine-state.ts'
import type { MarketTraders } from './market-traders.ts'
import type { StrategyClock } from './strategy-clock.ts'
import type { StrategyFeeds } from './strategy-feeds.ts'
import type { StrategyTimers } from './strategy-timers.ts'

export interface RunnerStatus {
  /** Trading has begun, but `onStart` waits for the end of the warm-up. */
  isStarting: boolean
  /** True once it threw, has ended or its instrument was halted, and no longer runs. */
  hasStopped: boolean
  /** Reason of the halt of its instrument that stopped it, a sentence. */
  haltedBy?: string | undefined
}

/** Parts of a strategy runner that its snapshot needs. */
export interface StrategyRunnerParts {
  readonly options: StrategyRunnerOptions
  readonly run: StrategyRun
  readonly clock: StrategyClock
  readonly markets: MarketTraders
  readonly feeds: StrategyFeeds
  readonly timers: StrategyTimers
  readonly standing: RunnerStatus
  /** Feeds the indicators with a kline of its own. */
  readonly observeHistory: (kline: Kline) => void
}

/** Makes and restores the snapshot of a strategy runner. */
export class StrategySnapshot {
  readonly #parts: StrategyRunnerParts

  constructor(parts: StrategyRunnerParts) {
    this.#parts = parts
  }

  /** Everything but the indicators. */
  snapshot(): StrategyRunnerState {
    const { run, clock, markets, feeds, timers, standing } = this.#parts
    return {
      ...this.#identity,
      time: clock.latest,
      klines: clock.klines,
      failed: standing.hasStopped,
      ...(standing.haltedBy !== undefined && { haltedBy: standing.haltedBy }),
      starting: standing.isStarting,
      memory: run.memory,
      memoryVersion: run.memoryVersion,
      feeds: feeds.snapshot(),
      timers: timers.snapshot(),
      markets: markets.all.map(market => market.snapshot()),
    }
  }

  /**
   * Restores a snapshot, and feeds the indicators with the klines seen until then. From another strategy, or
   * one with other parameters or roles, only its orders and their protection are restored. Throws
   * `UsageError` if the strategy cannot continue from its stored state.
   */
  restore(state: StrategyRunnerState, klinesOf: SeenKlines): void {
    const { run, clock, markets, feeds, timers, standing, observeHistory: seeHistory } = this.#parts
    const identity = this.#identity
    feedAgain(klinesOf(identity.symbol, identity.interval), seeHistory)
    for (const feed of feeds.all) {
      const { symbol, feed: of } = feed.followed
      if (of.type === 'klines') feedAgain(klinesOf(symbol, of.interval), kline => feed.update(kline))
    }
    clock.advance(state.time)
    const isSame = isSameRun(state, identity)
    for (const market of markets.all) {
      const kept = state.markets.find(({ book }) => book === market.book)
      if (kept !== undefined) market.restore(kept, isSame)
    }
    if (!isSame) return
    clock.klines = state.klines
    standing.hasStopped = state.failed
    standing.haltedBy = state.haltedBy
    standing.isStarting = state.starting
    run.restoreMemory(state.memory, state.memoryVersion)
    timers.restore(state.timers)
    feeds.restore(state.feeds)
  }

  get #identity(): StrategyIdentity {
    const { options, markets } = this.#parts
    const { strategy, parameters, interval } = options
    return {
      strategy: strategy.name,
      symbol: markets.own.symbol,
      book: markets.own.book,
      interval,
      parameters: JSON.stringify(parameters),
      roles: JSON.stringify(markets.all.slice(1).map(({ role, symbol }) => [role, symbol])),
    }
  }
}

/** An indicator that threw on a kline throws on it again; that error was handled when the kline closed. */
function feedAgain(klines: Iterable<Kline>, feed: (kline: Kline) => void): void {
  for (const kline of klines) {
    try {
      feed(kline)
    } catch (error) {
      if (!(error instanceof StrategyError)) throw error
    }
  }
}

/** Compares two strategies of one book, and hence of one symbol. */
function isSameRun(one: StrategyIdentity, other: StrategyIdentity): boolean {
  return (
    one.strategy === other.strategy &&
    one.interval === other.interval &&
    one.parameters === other.parameters &&
    one.roles === other.roles
  )
}

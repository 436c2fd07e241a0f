import type { Kline } from '../../domain/market-data/kline.ts'
import type { StrategyRun } from '../../strategy/define-strategy.ts'
import { StrategyError } from '../../strategy/strategy-error.ts'
import type { DeskOptions } from '../engine-options.ts'
import type { DeskIdentity, DeskState, SeenKlines } from '../engine-state.ts'
import type { DeskClock } from './desk-clock.ts'
import type { DeskFeeds } from './desk-feeds.ts'
import type { DeskMarkets } from './desk-markets.ts'
import type { DeskTimers } from './desk-timers.ts'

/** How a strategy stands. */
export interface DeskStanding {
  /** Trading has begun, but `onStart` waits for the end of the warm-up. */
  isStarting: boolean
  /** It threw or has ended, and is not asked any more. */
  hasStopped: boolean
}

/** Everything of a desk that changes. */
export interface DeskParts {
  readonly options: DeskOptions
  readonly run: StrategyRun
  readonly clock: DeskClock
  readonly markets: DeskMarkets
  readonly feeds: DeskFeeds
  readonly timers: DeskTimers
  readonly standing: DeskStanding
  /** Feeds the indicators with a kline of its own. */
  readonly seeHistory: (kline: Kline) => void
}

/** What a desk keeps over a restart. */
export class DeskMemory {
  readonly #parts: DeskParts

  constructor(parts: DeskParts) {
    this.#parts = parts
  }

  /** Everything but the indicators. */
  snapshot(): DeskState {
    const { run, clock, markets, feeds, timers, standing } = this.#parts
    return {
      ...this.#identity,
      time: clock.time,
      klines: clock.klines,
      failed: standing.hasStopped,
      starting: standing.isStarting,
      memory: run.memory,
      memoryVersion: run.memoryVersion,
      feeds: feeds.snapshot(),
      timers: timers.snapshot(),
      markets: markets.all.map(market => market.snapshot()),
    }
  }

  /**
   * Takes over a snapshot, and feeds the indicators with the klines seen until then. From another strategy, or one with
   * other parameters or roles, come only its orders and what they protect. Throws `UsageError` where the strategy cannot go
   * on with the state that it kept.
   */
  restore(state: DeskState, klinesOf: SeenKlines): void {
    const { run, clock, markets, feeds, timers, standing, seeHistory } = this.#parts
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
    standing.isStarting = state.starting
    run.restoreMemory(state.memory, state.memoryVersion)
    timers.restore(state.timers)
    feeds.restore(state.feeds)
  }

  get #identity(): DeskIdentity {
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

/** An indicator that threw on a kline throws on it again; that was dealt with at the time. */
function feedAgain(klines: Iterable<Kline>, feed: (kline: Kline) => void): void {
  for (const kline of klines) {
    try {
      feed(kline)
    } catch (error) {
      if (!(error instanceof StrategyError)) throw error
    }
  }
}

/** Of two desks of one book, and hence of one symbol. */
function isSameRun(one: DeskIdentity, other: DeskIdentity): boolean {
  return (
    one.strategy === other.strategy &&
    one.interval === other.interval &&
    one.parameters === other.parameters &&
    one.roles === other.roles
  )
}

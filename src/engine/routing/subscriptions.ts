import type { Interval } from '../../domain/market-data/interval.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import type { Feed } from '../../strategy/feeds/feeds.ts'
import type { StrategyFeed } from '../strategy/strategy-feed.ts'
import type { StrategyRunner } from '../strategy/strategy-runner.ts'

/**
 * A strategy that receives a stream: as one of its feeds, or (without one) as the klines that it trades on.
 */
export interface Subscription {
  readonly runner: StrategyRunner
  readonly feed: StrategyFeed | undefined
}

/** One stream of klines. */
export interface KlineStream {
  readonly symbol: string
  readonly interval: Interval
}

/** Kinds of data beside klines. */
export type DataType = Exclude<Feed['type'], 'klines'>

const NOBODY: readonly Subscription[] = []

/**
 * The strategies that receive each stream. Of the subscriptions of one stream those declared first are first,
 * and of one strategy its feeds before its own klines.
 */
export class Subscriptions {
  readonly klineStreams: readonly KlineStream[]
  readonly #byStream = new Map<string, Subscription[]>()

  constructor(runners: readonly StrategyRunner[]) {
    const streams: KlineStream[] = []
    for (const runner of runners) {
      for (const feed of runner.feeds) {
        const { symbol, feed: of } = feed.followed
        if (of.type !== 'klines') this.#add(dataName(of.type, symbol), { runner, feed })
        else if (this.#add(klinesName(symbol, of.interval), { runner, feed }))
          streams.push({ symbol, interval: of.interval })
      }
      const { symbol, interval } = runner
      if (this.#add(klinesName(symbol, interval), { runner, feed: undefined }))
        streams.push({ symbol, interval })
    }
    this.klineStreams = streams
  }

  /** Throws `InvariantError` for klines without a subscriber. */
  ofKlines(symbol: string, interval: Interval): readonly Subscription[] {
    const found = this.#byStream.get(klinesName(symbol, interval))
    if (found !== undefined) return found
    throw new InvariantError(`No strategy follows the ${interval} klines of ${symbol}.`)
  }

  /** Subscriptions of data; empty without subscribers. */
  ofData(type: DataType, symbol: string): readonly Subscription[] {
    return this.#byStream.get(dataName(type, symbol)) ?? NOBODY
  }

  /** Returns true if it is the first of its stream. */
  #add(name: string, subscription: Subscription): boolean {
    const known = this.#byStream.get(name)
    known?.push(subscription)
    if (known === undefined) this.#byStream.set(name, [subscription])
    return known === undefined
  }
}

function klinesName(symbol: string, interval: Interval): string {
  return `${symbol} ${interval}`
}

function dataName(type: DataType, symbol: string): string {
  return `${symbol} ${type}`
}

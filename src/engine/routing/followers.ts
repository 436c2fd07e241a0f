import type { Interval } from '../../domain/market-data/interval.ts'
import { InvariantError } from '../../domain/sluice-error.ts'
import type { Feed } from '../../strategy/feeds/feeds.ts'
import type { Desk } from '../strategy/desk.ts'
import type { DeskFeed } from '../strategy/desk-feed.ts'

/** Who is shown something: a feed of a desk, or (without one) the desk as its own klines. */
export interface Follower {
  readonly desk: Desk
  readonly feed: DeskFeed | undefined
}

/** One stream of klines. */
export interface KlineStream {
  readonly symbol: string
  readonly interval: Interval
}

/** Kinds of data beside klines. */
export type DataType = Exclude<Feed['type'], 'klines'>

const NOBODY: readonly Follower[] = []

/** Who follows what. Of the followers of one stream those declared first are first, and of one desk its feeds before its own klines. */
export class Followers {
  readonly klineStreams: readonly KlineStream[]
  readonly #byStream = new Map<string, Follower[]>()

  constructor(desks: readonly Desk[]) {
    const streams: KlineStream[] = []
    for (const desk of desks) {
      for (const feed of desk.feeds) {
        const { symbol, feed: of } = feed.followed
        if (of.type !== 'klines') this.#add(dataName(of.type, symbol), { desk, feed })
        else if (this.#add(klinesName(symbol, of.interval), { desk, feed }))
          streams.push({ symbol, interval: of.interval })
      }
      const { symbol, interval } = desk
      if (this.#add(klinesName(symbol, interval), { desk, feed: undefined }))
        streams.push({ symbol, interval })
    }
    this.klineStreams = streams
  }

  /** Throws `InvariantError` for klines that nobody follows. */
  ofKlines(symbol: string, interval: Interval): readonly Follower[] {
    const found = this.#byStream.get(klinesName(symbol, interval))
    if (found !== undefined) return found
    throw new InvariantError(`No strategy follows the ${interval} klines of ${symbol}.`)
  }

  /** Those of data that nobody follows are none. */
  ofData(type: DataType, symbol: string): readonly Follower[] {
    return this.#byStream.get(dataName(type, symbol)) ?? NOBODY
  }

  /** Returns whether it is the first of its stream. */
  #add(name: string, follower: Follower): boolean {
    const known = this.#byStream.get(name)
    known?.push(follower)
    if (known === undefined) this.#byStream.set(name, [follower])
    return known === undefined
  }
}

function klinesName(symbol: string, interval: Interval): string {
  return `${symbol} ${interval}`
}

function dataName(type: DataType, symbol: string): string {
  return `${symbol} ${type}`
}

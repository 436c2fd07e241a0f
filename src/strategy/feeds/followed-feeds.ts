import type { Interval } from '../../domain/market-data/interval.ts'
import { suggestion } from '../../domain/nearest-name.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { Strategy } from '../define-strategy.ts'
import type { GivenParameter } from '../parameters.ts'
import type { Feed, KlineFeed } from './feeds.ts'

/** Parameters and instruments of a strategy. */
export interface StrategyMarkets {
  readonly parameters: Readonly<Record<string, GivenParameter>>
  /** Its own instrument, and the interval of its klines. */
  readonly symbol: string
  readonly interval: Interval
  /** Instruments of its roles. */
  readonly markets?: Readonly<Record<string, { readonly symbol: string }>> | undefined
}

/** A kline feed with its interval. */
export interface FollowedKlines extends KlineFeed {
  readonly interval: Interval
}

/** One feed of a strategy, with its instrument. */
export interface FollowedFeed {
  /**
   * `undefined` for klines of a role that are not a declared feed: those of the strategy's own interval are
   * always read, for its price.
   */
  readonly name: string | undefined
  readonly role: string | undefined
  readonly symbol: string
  readonly feed: Exclude<Feed, KlineFeed> | FollowedKlines
}

/**
 * Feeds of a strategy besides the klines of its own instrument and interval: its declared feeds in order,
 * then the klines of roles that are not among them. Throws `UsageError` for invalid parameters and feeds, and
 * for roles without an instrument.
 */
export function followedFeeds(strategy: Strategy, given: StrategyMarkets): readonly FollowedFeed[] {
  const { parameters, symbol: own, interval, markets = {} } = given
  requireRoles(strategy, given)
  const declared = Object.entries(strategy.feeds(parameters)).map(([name, feed]): FollowedFeed => {
    const role = feed.market
    const symbol = role === undefined ? own : (markets[role]?.symbol ?? own) // every role has one, as checked
    return {
      ...{ name, role, symbol },
      feed: feed.type === 'klines' ? { ...feed, interval: feed.interval ?? interval } : feed,
    }
  })
  const isDeclared = (role: string) =>
    declared.some(
      ({ feed, role: other }) => other === role && feed.type === 'klines' && feed.interval === interval,
    )
  const implied = strategy.markets
    .filter(role => !isDeclared(role))
    .map((role): FollowedFeed => {
      const symbol = markets[role]?.symbol ?? own // as above
      return { name: undefined, role, symbol, feed: { type: 'klines', market: role, interval } }
    })
  return [...declared, ...implied]
}

/** Throws `UsageError` if roles and instruments do not match. */
export function requireRoles(
  { name, markets: roles }: Strategy,
  { symbol, markets = {} }: Pick<StrategyMarkets, 'symbol' | 'markets'>,
): void {
  const unknown = Object.keys(markets).find(role => !roles.includes(role))
  if (unknown !== undefined) {
    const hint = roles.length === 0 ? ' It trades its own instrument only.' : suggestion(unknown, roles)
    throw new UsageError(`Strategy "${name}" has no market "${unknown}".${hint}`)
  }
  const taken = new Map([[symbol, 'its own']])
  for (const role of roles) {
    const instrument = markets[role]?.symbol
    if (instrument === undefined) {
      throw new UsageError(
        `Strategy "${name}" needs an instrument for its market "${role}"; say which: markets: { ${role}: ETH/USDT }, or --market ${role}=ETH/USDT.`,
      )
    }
    const other = taken.get(instrument)
    if (other !== undefined) {
      throw new UsageError(
        `The market "${role}" of strategy "${name}" is ${instrument}, as is ${other === 'its own' ? 'its own instrument' : `"${other}"`}; give it another.`,
      )
    }
    taken.set(instrument, role)
  }
}

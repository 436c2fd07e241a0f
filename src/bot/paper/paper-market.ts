import type { Accounts } from '../../config/account-fields.ts'
import type { PaperVenueConfig, StrategyConfig } from '../../config/bot-config.ts'
import { configuredMarkets } from '../../config/configured-market.ts'
import type { ExchangeProfile } from '../../exchange/profiles/exchange-profile.ts'
import type { MarketSubscription } from '../../market/market-subscription.ts'
import { planPolls } from '../../market/polls/plan-polls.ts'
import type { PollPlan } from '../../market/polls/poll-plan.ts'

/** A market whose orders are matched here. */
export interface PaperMarket {
  readonly market: 'spot' | 'futures'
  /** `BASE/QUOTE`, or the name of a contract. */
  readonly symbol: string
}

/** The host's 24 hours and lists change slowly. */
const [DAY_EVERY_MS, LISTINGS_EVERY_MS] = [10_000, 60_000]
const USUAL_CALL_MS = 150
/** Share of the weight that is left to the klines that a bot asks for. */
const OTHER_SHARE = 0.1
const CALLS_PER_SECOND = 20

/** The markets of a bot's strategies, each once. */
export function paperMarkets(
  strategies: readonly Pick<StrategyConfig, 'symbol' | 'markets'>[],
  accounts: Accounts,
): readonly PaperMarket[] {
  const marketOf = configuredMarkets(accounts)
  const traded = strategies.flatMap(({ symbol, markets = {} }) =>
    [symbol, ...Object.values(markets).map(role => role.symbol)].map(marketOf),
  )
  const markets = traded.map(({ market, name }) => [`${market} ${name}`, { market, symbol: name }] as const)
  return [...new Map(markets).values()]
}

/** True if the host has klines of a minute, by which gaps of a market are judged. */
export function hasMinutes({ market }: Pick<PaperMarket, 'market'>, profile: ExchangeProfile): boolean {
  return !profile[market].lacksKlines.includes('1m')
}

/** Limits of a paper account on a host without klines of a minute: a sentence for each kind of market. */
export function unjudged(markets: readonly PaperMarket[], profile: ExchangeProfile): readonly string[] {
  const kinds = new Set(markets.filter(market => !hasMinutes(market, profile)).map(({ market }) => market))
  return Array.from(kinds, market => UNJUDGED[market])
}

const UNJUDGED = {
  spot: 'The host has no 1m klines of pairs (lacksKlines): gaps between the trades that were read fill no orders.',
  futures:
    'The host has no 1m klines of contracts (lacksKlines): what rests there fills only by quotes beyond its price, which is fewer fills than a real account has.',
} as const

/**
 * What is read of a host to match orders here, and its weight: order book and trades of each pair; order book,
 * mark price and, where the host has them, minutes of each contract, as no host tells trades of contracts. Throws `UsageError` where it
 * does not fit into `weightPerMinute`.
 */
export function paperPlan(
  markets: readonly PaperMarket[],
  { levels, readMs: everyMs, profile }: Pick<PaperVenueConfig, 'levels' | 'readMs' | 'profile'>,
  weightPerMinute: number,
): PollPlan {
  const each = markets.flatMap(({ market, symbol }): readonly MarketSubscription[] => [
    { type: 'depth', market, symbol, levels, everyMs },
    ...(market === 'spot'
      ? [{ type: 'trades', market, symbol, everyMs } as const]
      : [
          { type: 'indexPrice', market, symbol, everyMs } as const,
          ...(hasMinutes({ market }, profile)
            ? [{ type: 'klines', market, symbol, interval: '1m' } as const]
            : []),
        ]),
    // The last price of a pair is its last trade; that of a contract is in its ticker only.
    { type: 'ticker', market, symbol, everyMs: market === 'spot' ? DAY_EVERY_MS : everyMs },
  ])
  const lists = Array.from(
    new Set(markets.map(({ market }) => market)),
    market => ({ type: 'listings', market, everyMs: LISTINGS_EVERY_MS }) as const,
  )
  return planPolls([...each, ...lists], {
    weightPerMinute,
    orderShare: OTHER_SHARE,
    klineDelayMs: 500,
    callsPerSecond: CALLS_PER_SECOND,
    callMs: USUAL_CALL_MS,
    lacks: [...profile.spot.lacks, ...profile.futures.lacks],
    lacksKlines: { spot: profile.spot.lacksKlines, futures: profile.futures.lacksKlines },
  })
}

import type { IncomingCall } from '../incoming-call.ts'
import { ApiError } from '../protocol/api-error.ts'
import type { ListedMarket } from '../spot/listed-market.ts'

/** The market of a feed call, by `symbol` (with any separator) or by `base` and `quote`; throws `ApiError`. */
export function feedMarketOf({ exchange, parameters }: IncomingCall): ListedMarket {
  const [base, quote] = [parameters.text('base'), parameters.text('quote')]
  const pair = base === undefined || quote === undefined ? undefined : base + quote
  return exchange.marketOf((parameters.text('symbol') ?? pair)?.replace(/[-_]/, ''))
}

/** Requested number of entries: 100 by default, at most 1000. */
export function countOf({ parameters }: IncomingCall, name: string): number {
  const count = parameters.integer(name) ?? 100
  if (count < 0) throw new ApiError('MANDATORY_PARAM_EMPTY_OR_MALFORMED', name)
  return Math.min(count, 1000)
}

/** The name of a pair in the feeds: `BTC_USDT`. */
export function pairCode({ instrument: { base, quote } }: ListedMarket): string {
  return `${base}_${quote}`
}

/** Every asset of the exchange, in the order it was first listed; its id is its place, from 1. */
export function listedAssets(markets: readonly ListedMarket[]): readonly string[] {
  return [...new Set(markets.flatMap(({ instrument }) => [instrument.base, instrument.quote]))]
}

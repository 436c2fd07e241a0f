import { UsageError } from '../domain/sluice-error.ts'
import type { MarketClient } from './market-client.ts'
import type { Market } from './market-subscription.ts'
import type { KlineCall } from './polls/kline-call.ts'

/** Call that reads the klines of a market. Futures have no parameter for the start of days. */
export function klineCallOf(market: Market, client: MarketClient): KlineCall {
  if (market === 'spot') return query => client.spot.klines(query)
  return ({ symbol: contractName, timezone: _, ...query }) =>
    futuresCallsOf(client).klines({ contractName, ...query })
}

/** The futures calls; throws `UsageError` if the client has none. */
export function futuresCallsOf({ futures }: MarketClient): NonNullable<MarketClient['futures']> {
  if (futures !== undefined) return futures
  throw new UsageError(
    'Futures cannot be followed, because the client has no futures host; give its futuresUrl.',
  )
}

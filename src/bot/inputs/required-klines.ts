import { UsageError } from '../../domain/sluice-error.ts'
import type { ExchangeProfile } from '../../exchange/profiles/exchange-profile.ts'
import { offeredPartOf, SPOT_INTERVALS } from '../../exchange/spot/spot-interval.ts'
import type { KlineSubscription } from '../../market/market-subscription.ts'

/** Throws `UsageError` for klines that the host neither has nor has parts of, by its profile. */
export function requireKlines(
  { market, symbol, interval }: KlineSubscription,
  { name, [market]: { lacksKlines } }: ExchangeProfile,
): void {
  const part = offeredPartOf(interval, lacksKlines)
  if (!lacksKlines.includes(part)) return
  const others = Object.keys(SPOT_INTERVALS).filter(
    offered => !lacksKlines.some(lacked => lacked === offered),
  )
  const made = part === interval ? '' : `, of which those of ${interval} are made`
  const advice =
    others.length === 0
      ? 'No strategy can follow them there.'
      : `Use an interval that it has: ${others.join(', ')}; or take ${part} out of "lacksKlines" once they come.`
  throw new UsageError(
    `${symbol} has no ${market} klines of ${part} on this exchange${made} (profile ${name}, "lacksKlines"). ${advice}`,
  )
}

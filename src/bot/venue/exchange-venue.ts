import { join } from 'node:path'
import type { BotConfig } from '../../config/bot-config.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { fileBanStore } from '../../exchange/budget/file-ban-store.ts'
import type { Patience } from '../../exchange/call/endpoint-call.ts'
import { createSystemClock } from '../../exchange/clock/system-clock.ts'
import { createExchangeClient } from '../../exchange/exchange-client.ts'
import type { Credentials } from '../../exchange/http/credentials.ts'
import { checkSpeed } from './exchange-speed.ts'
import type { Venue } from './venue.ts'

/** The part of a bot's configuration that describes a real exchange. */
export type ExchangeVenueConfig = Extract<BotConfig['venue'], { type: 'exchange' }>

/**
 * Connects to an exchange and measures its clock, which must run as fast as real time, or it rejects with
 * `ExchangeSpeedError`; a ban by the exchange is stored in a file of the folder `data`. All calls together
 * keep to `weightPerMinute`, by default to the documented limit; `patience` retries while pages come instead
 * of the exchange's answers.
 */
export async function openExchangeVenue(
  venue: ExchangeVenueConfig,
  credentials: Credentials | undefined,
  timeoutMs: number,
  weightPerMinute?: number,
  patience?: Patience,
): Promise<Venue> {
  if (credentials === undefined) throw new UsageError('A real exchange needs an API key and its secret.')
  const system = createSystemClock()
  const client = createExchangeClient({
    spotUrl: venue.spotUrl,
    ...(venue.futuresUrl !== undefined && { futuresUrl: venue.futuresUrl }),
    credentials,
    clock: system,
    recvWindowMs: venue.recvWindowMs,
    timeoutMs,
    ...(weightPerMinute !== undefined && { limits: { ipWeightPerMinute: weightPerMinute } }),
    banStore: fileBanStore(banFileOf(venue.spotUrl)),
    patience,
  })
  try {
    await client.synchronise()
    await checkSpeed(client, system, venue.spotUrl)
  } catch (error) {
    await client.close()
    throw error
  }
  return {
    description: `exchange at ${venue.spotUrl}${venue.futuresUrl === undefined ? '' : `, contracts at ${venue.futuresUrl}`}`,
    clock: system,
    spot: client.spot,
    margin: client.margin,
    ...(venue.futuresUrl !== undefined && { futures: client.futures }),
    account: client.account,
    serverNow: client.serverNow,
    usage: () => client.state().calls.ip,
    clockUncertaintyMs: () => client.state().clock.uncertaintyMs,
    clockOffsetMs: () => client.state().clock.offsetMs,
    close: () => client.close(),
  }
}

/** File that stores a ban. One file per host, because an exchange bans an address from its own hosts only. */
export function banFileOf(spotUrl: string): string {
  return join('data', `ban-${new URL(spotUrl).host.replaceAll(/[^\w.-]/g, '-')}.json`)
}

import { join } from 'node:path'
import type { BotConfig } from '../../config/bot-config.ts'
import { DETECT } from '../../config/profiles/load-profile.ts'
import { mainUrlOf } from '../../config/profiles/profile-field.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { fileBlockStore } from '../../exchange/budget/file-block-store.ts'
import type { Patience } from '../../exchange/call/endpoint-call.ts'
import { createSystemClock } from '../../exchange/clock/system-clock.ts'
import type { Host } from '../../exchange/endpoints/endpoint.ts'
import { createExchangeClient } from '../../exchange/exchange-client.ts'
import type { Credentials } from '../../exchange/http/credentials.ts'
import { knownHosts } from './detected-profile.ts'
import { checkSpeed } from './exchange-speed.ts'
import type { Venue } from './venue.ts'

/** The part of a bot's configuration that describes a real exchange. */
export type ExchangeVenueConfig = Extract<BotConfig['venue'], { type: 'exchange' }>

/** Settings of a connection to an exchange. */
export interface ExchangeVenueOptions {
  readonly credentials: Credentials | undefined
  /** Timeout of one attempt of a call, ms. */
  readonly timeoutMs: number
  /** The hosts on which the bot trades; the time of the first of them counts. */
  readonly traded: readonly Host[]
  /** Weight that all calls together keep to; default: the documented limit. */
  readonly weightPerMinute?: number
  /** Retries while pages come instead of the exchange's answers. */
  readonly patience?: Patience | undefined
}

/**
 * Connects to an exchange and measures its clock, which must run as fast as real time, or it rejects with
 * `ExchangeSpeedError`; a ban by the exchange is stored in a file of the folder `data`.
 */
export async function openExchangeVenue(
  venue: ExchangeVenueConfig,
  { credentials, timeoutMs, traded, weightPerMinute, patience }: ExchangeVenueOptions,
): Promise<Venue> {
  if (credentials === undefined) throw new UsageError('A real exchange needs an API key and its secret.')
  const system = createSystemClock()
  const url = mainUrlOf(venue)
  const settings = {
    credentials,
    clock: system,
    recvWindowMs: venue.recvWindowMs,
    timeoutMs,
    ...(weightPerMinute !== undefined && { limits: { ipWeightPerMinute: weightPerMinute } }),
    blockStore: fileBlockStore(banFileOf(url)),
  }
  const { profile, spotUrl, futuresUrl, remark } = await knownHosts(venue, settings)
  const hosts = { ...(spotUrl !== undefined && { spotUrl }), ...(futuresUrl !== undefined && { futuresUrl }) }
  const [clockHost = 'spot'] = traded
  const client = createExchangeClient({ ...settings, ...hosts, profile, clockHost, patience })
  try {
    await client.synchronise()
    await checkSpeed(client, system, url)
  } catch (error) {
    await client.close()
    throw error
  }
  return {
    description: descriptionOf(venue, traded),
    ...(remark !== undefined && { remark }),
    clock: system,
    profile,
    spot: client.spot,
    margin: client.margin,
    ...(futuresUrl !== undefined && { futures: client.futures }),
    account: client.account,
    serverNow: client.serverNow,
    usage: () => client.state().calls.ip,
    pause: () => client.state().calls.pause,
    requests: () => client.state().requests,
    clockUncertaintyMs: () => client.state().clock.uncertaintyMs,
    clockOffsetMs: () => client.state().clock.offsetMs,
    close: () => client.close(),
  }
}

function descriptionOf(
  { profile, spotUrl, futuresUrl }: ExchangeVenueConfig,
  traded: readonly Host[],
): string {
  const urls = { spot: `exchange at ${spotUrl}`, futures: `contracts at ${futuresUrl}` }
  const hosts = traded.map(host => urls[host])
  const { name, date } = profile
  if (name === 'document') return hosts.join(', ')
  return `${hosts.join(', ')} (${name === DETECT ? 'profile detected' : `profile ${name} of ${date}`})`
}

/** File that stores a ban. One file per host, because an exchange bans an address from its own hosts only. */
export function banFileOf(url: string): string {
  return join('data', `ban-${new URL(url).host.replaceAll(/[^\w.-]/g, '-')}.json`)
}

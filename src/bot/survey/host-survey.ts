import type { Clock } from '../../domain/clock.ts'
import type { Endpoint, Host } from '../../exchange/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../exchange/endpoints.ts'
import { FUTURES_INTERVALS } from '../../exchange/futures/futures-interval.ts'
import type { Credentials } from '../../exchange/http/credentials.ts'
import { SPOT_INTERVALS } from '../../exchange/spot/spot-interval.ts'
import type { LosslessJson } from '../../exchange/wire/lossless-json.ts'
import { pathAt, queryOf, type Sample, type Version, versionsOf } from './asked-paths.ts'
import { type FoundHost, findHost } from './find-host.ts'
import type { HostCaller } from './host-caller.ts'
import { likeness } from './host-reply.ts'
import { inParallel } from './in-parallel.ts'
import { entriesIn } from './json-entries.ts'
import { KeyedCalls } from './keyed-calls.ts'
import { type HostListing, listingIn } from './listing.ts'
import { clockOf, type HostClock } from './measured-host-clock.ts'
import { type TestedTypes, testedTypes } from './tested-types.ts'
import { type Ask, type CallTried, triedCalls } from './tried-calls.ts'

/** Everything that one host showed. */
export interface HostSurvey extends FoundHost {
  readonly host: Host
  readonly origin: string
  readonly tried: readonly CallTried[]
  readonly listing: HostListing
  /** `undefined` for a host that does not tell its time. */
  readonly clock: HostClock | undefined
  /** Wire names of kline intervals, each with the number of klines it has; those that failed are left out. */
  readonly klines: ReadonlyMap<string, number>
  readonly key: KeyedCalls | undefined
  /** Result of the test of orders by order type; `undefined` without a key, and for futures, which have no such test. */
  readonly orderTypes: TestedTypes | undefined
  readonly requests: number
  /** Why the survey ended early, in a sentence. */
  readonly stopped: string | undefined
}

/** One host, and how it is asked. */
export interface HostSettings {
  readonly host: Host
  /** Prefix of all paths; `undefined` looks for one. */
  readonly prefix: string | undefined
  readonly credentials: Credentials | undefined
  readonly clock: Clock
}

/** Asks one host for everything that it can be asked without placing an order. Resolves to a sentence where it is none. */
export async function surveyHost(
  caller: HostCaller,
  { host, prefix, credentials, clock }: HostSettings,
): Promise<HostSurvey | string> {
  const found = await findHost(caller, host, prefix)
  if (typeof found === 'string') return found
  const ask = (path: string) => caller.ask({ method: 'GET', path: `${found.prefix}${path}` })
  const strays = await strayReplies(ask, host)
  const hostClock = await clockOf(ask, host)
  const list = host === 'spot' ? ENDPOINTS.spotSymbols : ENDPOINTS.futuresContracts
  const listing = listingIn(host, await firstAnswer(ask, list, found.version))
  const now = () => clock.now() + (hostClock?.offsetMs ?? 0)
  const key = credentials && new KeyedCalls(caller, { prefix: found.prefix, credentials, now })
  await key?.learn(host, found.version)
  const tried = await triedCalls(ask, { host, sample: listing.sample, strays, key })
  const klines = await klineCounts(ask, tried, listing.sample)
  const orderTypes = key && host === 'spot' ? await testedTypes(key, tried, listing) : undefined
  return {
    ...found,
    ...{ host, origin: caller.origin, listing, clock: hostClock, klines, key, orderTypes },
    tried: tried.map(call => (isTestOf(call, orderTypes) ? { ...call, outcome: 'answered' } : call)),
    ...{ requests: caller.sent, stopped: caller.stopped },
  }
}

/** The test of orders is the one POST that is sent. */
function isTestOf({ row, version }: CallTried, types: TestedTypes | undefined): boolean {
  return row.key === 'spotTestOrder' && types?.version === version
}

/** Replies to paths that no host has. */
async function strayReplies(ask: Ask, host: Host): Promise<ReadonlySet<string>> {
  const root = host === 'spot' ? '/sapi' : '/fapi'
  const replies = [
    await ask(`${root}/v1/no-such-call`),
    await ask(`${root}/v9/time`),
    await ask('/no-such-call'),
  ]
  return new Set(replies.map(likeness).filter(text => text !== undefined))
}

/** The first answer to a call, at the version that was found or at another. */
async function firstAnswer(ask: Ask, row: Endpoint, found: Version): Promise<LosslessJson | undefined> {
  for (const version of new Set([found, ...versionsOf(row.host)])) {
    const reply = await ask(pathAt(row, version))
    if (reply.kind === 'answer') return reply.json
  }
  return undefined
}

/** Number of klines at each interval, at the version at which klines are answered. */
async function klineCounts(
  ask: Ask,
  tried: readonly CallTried[],
  { symbol, contractName }: Sample,
): Promise<ReadonlyMap<string, number>> {
  const klines = tried.find(({ row: { key }, outcome }) => /Klines$/.test(key) && outcome === 'answered')
  if (klines === undefined) return new Map()
  const names = Object.values(klines.row.host === 'spot' ? SPOT_INTERVALS : FUTURES_INTERVALS)
  const counts = await inParallel(names, async interval => {
    const query = queryOf(klines.row, { symbol, contractName }).replace(
      /interval=\w+/,
      `interval=${interval}`,
    )
    const reply = await ask(`${klines.path}${query}`)
    return reply.kind === 'answer' ? ([interval, entriesIn(reply.json).length] as const) : undefined
  })
  return new Map(counts.filter(count => count !== undefined))
}

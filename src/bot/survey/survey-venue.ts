import type { Clock } from '../../domain/clock.ts'
import type { Host } from '../../exchange/endpoints/endpoint.ts'
import { baseUrlOf } from '../../exchange/http/base-url.ts'
import type { Credentials } from '../../exchange/http/credentials.ts'
import { HostCaller, type SurveyBounds } from './host-caller.ts'
import { type HostSurvey, surveyHost } from './host-survey.ts'
import { noKlinesText } from './kline-facts.ts'
import { unusableReads } from './needed-reads.ts'
import { noTradingText } from './no-trading-text.ts'

/** Addresses of an exchange. */
export interface VenueAddresses {
  readonly spotUrl?: string | undefined
  /** Without it, the origin of the spot host is asked for futures calls too. */
  readonly futuresUrl?: string | undefined
  /** True to take the prefixes of the URLs as they are, false to look for known prefixes where a URL has none. */
  readonly knowsPrefixes: boolean
}

/** Result of asking an exchange. */
export interface VenueSurvey {
  readonly hosts: readonly HostSurvey[]
  /** Why a host could not be examined, or why no bot can trade there, a sentence each. */
  readonly problems: readonly string[]
}

/** Bounds of an examination at a real exchange. */
export const SURVEY_BOUNDS: SurveyBounds = { timeoutMs: 5000, pauseMs: 40, totalMs: 50_000 }

/**
 * Asks the hosts of an exchange for every call of the interface. Sends GETs, and with a key tests of orders; places
 * nothing. Throws `UsageError` for an unusable address.
 */
export async function surveyVenue(
  { spotUrl, futuresUrl, knowsPrefixes }: VenueAddresses,
  {
    credentials,
    clock,
    bounds,
  }: {
    readonly credentials: Credentials | undefined
    readonly clock: Clock
    readonly bounds: SurveyBounds
  },
): Promise<VenueSurvey> {
  const callers = new Map<string, HostCaller>()
  const callerOf = (origin: string): HostCaller => {
    const caller = callers.get(origin) ?? new HostCaller(origin, clock, bounds)
    callers.set(origin, caller)
    return caller
  }
  const survey = (host: Host, url: string, ownPrefix: boolean): Promise<HostSurvey | string> => {
    const { origin, prefix } = baseUrlOf(url)
    const given = ownPrefix && (knowsPrefixes || prefix !== '') ? prefix : undefined
    return surveyHost(callerOf(origin), { host, prefix: given, credentials, clock })
  }
  // One address alone may be that of both hosts.
  const isShared = spotUrl !== undefined && futuresUrl === undefined && !knowsPrefixes
  try {
    const results = await Promise.all([
      ...(spotUrl === undefined ? [] : [survey('spot', spotUrl, true)]),
      ...(futuresUrl === undefined ? [] : [survey('futures', futuresUrl, true)]),
      ...(isShared ? [survey('futures', spotUrl, false)] : []),
    ])
    const hosts = results.filter(result => typeof result !== 'string')
    const sentences = results.filter(result => typeof result === 'string')
    const absent = isShared ? sentences.slice(0, hosts.length > 0 ? 0 : 1) : sentences
    return {
      hosts,
      problems: [
        ...absent,
        ...hosts.flatMap(found =>
          [unusableReads(found), noKlinesText(found) ?? [], noTradingText(found) ?? []].flat(),
        ),
      ],
    }
  } finally {
    await Promise.all([...callers.values()].map(caller => caller.close()))
  }
}

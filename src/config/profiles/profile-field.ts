import { InvariantError } from '../../domain/sluice-error.ts'
import type { Host } from '../../exchange/endpoints/endpoint.ts'
import { DOCUMENT_PROFILE } from '../../exchange/profiles/document-profile.ts'
import type { ExchangeProfile } from '../../exchange/profiles/exchange-profile.ts'
import { text } from '../fields.ts'
import { DETECT, loadProfile } from './load-profile.ts'

/** A profile by its name or the path of its file. */
export const profileField = text('the name of a profile, such as koinbay')
  .prefault('document')
  .transform((given, context): ExchangeProfile => {
    try {
      return loadProfile(given)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      context.addIssue({ code: 'custom', message: `cannot be used. ${reason}`, params: { sentence: true } })
      return loadProfile(DETECT) // not used, because the configuration is refused
    }
  })

interface GivenHosts {
  readonly profile: ExchangeProfile
  readonly spotUrl?: string | undefined
  readonly futuresUrl?: string | undefined
}

/** The venue with the hosts of its profile where it names none itself. */
export function withHosts<Venue extends GivenHosts>(venue: Venue): Venue {
  const { spot, futures } = venue.profile
  const [spotUrl, futuresUrl] = [venue.spotUrl ?? spot.url, venue.futuresUrl ?? futures.url]
  return {
    ...venue,
    ...(spotUrl !== undefined && { spotUrl }),
    ...(futuresUrl !== undefined && { futuresUrl }),
  }
}

/**
 * The venue without the profile's host of a market that is not traded, where the other host is not the profile's:
 * it would be that of another exchange.
 */
export function withoutForeignHost<Venue extends GivenHosts>(venue: Venue, traded: readonly Host[]): Venue {
  const { profile, spotUrl, futuresUrl } = venue
  const { spot, futures } = profile
  const isOwn = { spot: spotUrl !== spot.url, futures: futuresUrl !== futures.url }
  if (!traded.includes('futures') && isOwn.spot && !isOwn.futures)
    return {
      ...venue,
      futuresUrl: undefined,
      profile: { ...profile, futures: { ...futures, url: undefined } },
    }
  if (!traded.includes('spot') && isOwn.futures && !isOwn.spot)
    return { ...venue, spotUrl: undefined, profile: { ...profile, spot: { ...spot, url: undefined } } }
  return venue
}

/** The profile of a configured venue; the document for one that has none. */
export function profileOf(venue: {
  readonly type: string
  readonly profile?: ExchangeProfile
}): ExchangeProfile {
  return venue.profile ?? DOCUMENT_PROFILE
}

/** The URL that names an exchange: that of its spot host, or of its futures host where it has no other. */
export function mainUrlOf({ spotUrl, futuresUrl }: Omit<GivenHosts, 'profile'>): string {
  const url = spotUrl ?? futuresUrl
  if (url !== undefined) return url
  throw new InvariantError('The configuration of an exchange has no URL.')
}

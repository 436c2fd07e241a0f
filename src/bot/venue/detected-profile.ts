import { DETECT } from '../../config/profiles/load-profile.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { isNotOffered } from '../../exchange/errors/call-not-offered-error.ts'
import { ExchangeError } from '../../exchange/errors/exchange-error.ts'
import { MalformedResponseError } from '../../exchange/errors/malformed-response-error.ts'
import { NetworkError } from '../../exchange/errors/network-error.ts'
import {
  createExchangeClient,
  type ExchangeClient,
  type ExchangeClientOptions,
} from '../../exchange/exchange-client.ts'
import { baseUrlOf } from '../../exchange/http/base-url.ts'
import { DOCUMENT_PROFILE } from '../../exchange/profiles/document-profile.ts'
import type { ApiVersion, ExchangeProfile } from '../../exchange/profiles/exchange-profile.ts'
import type { Market } from '../../market/market-subscription.ts'

/** Prefixes and versions that are tried, those of the document first. */
const CANDIDATES = {
  spot: { prefixes: ['', '/spot/open'], versions: ['v2', 'v1', 'v3'] },
  futures: { prefixes: ['', '/futures/open'], versions: ['v1', 'v2'] },
} as const satisfies Record<Market, { prefixes: readonly string[]; versions: readonly ApiVersion[] }>

/** Settings of the calls of a detection. */
export type DetectionSettings = Omit<
  ExchangeClientOptions,
  'profile' | 'spotUrl' | 'futuresUrl' | 'clockHost' | 'patience'
>

/** Configured base URLs. */
interface HostUrls {
  readonly spotUrl?: string | undefined
  readonly futuresUrl?: string | undefined
}

/** Findings about the hosts of an exchange. */
export interface Detection {
  readonly profile: ExchangeProfile
  /** Findings, and how to write them down, in whole sentences. */
  readonly remark: string
}

/** Profile and hosts of an exchange: as they are given, or with the profile `detect` as they turn out when they are asked. */
export async function knownHosts(
  { profile, spotUrl, futuresUrl }: HostUrls & Pick<Detection, 'profile'>,
  settings: DetectionSettings,
): Promise<HostUrls & Pick<Detection, 'profile'> & Partial<Pick<Detection, 'remark'>>> {
  if (profile.name !== DETECT) return { profile, spotUrl, futuresUrl }
  const detection = await detectedProfile({ spotUrl, futuresUrl }, settings)
  const { spot, futures } = detection.profile
  return { ...detection, spotUrl: spot.url, futuresUrl: futures.url }
}

/**
 * Asks each host for its time at every known prefix and version, and takes what answers; with a key, also at which
 * version contracts take signed calls. Nothing else of the exchange becomes known. Throws `UsageError` for a host that
 * answers nowhere, and the error of one that cannot be reached.
 */
export async function detectedProfile(
  { spotUrl, futuresUrl }: HostUrls,
  settings: DetectionSettings,
): Promise<Detection> {
  const { spot, futures } = DOCUMENT_PROFILE
  const units = { orderUnits: [], marketOrderUnit: { open: 'unknown', close: 'contracts' } } as const
  let profile: ExchangeProfile = {
    ...DOCUMENT_PROFILE,
    name: DETECT,
    spot,
    futures: { ...futures, ...units },
  }
  if (spotUrl !== undefined) profile = await withHost(profile, 'spot', spotUrl, settings)
  if (futuresUrl !== undefined) profile = await withHost(profile, 'futures', futuresUrl, settings)
  if (futuresUrl !== undefined && settings.credentials !== undefined)
    profile = await withSignedVersion(profile, settings)
  return { profile, remark: remarkOf(profile) }
}

async function withHost(
  profile: ExchangeProfile,
  market: Market,
  url: string,
  settings: DetectionSettings,
): Promise<ExchangeProfile> {
  const { origin, prefix } = baseUrlOf(url)
  const { prefixes, versions } = CANDIDATES[market]
  for (const tried of prefix === '' ? prefixes : [prefix])
    for (const version of versions) {
      // The one known host with a prefix leaves it out of what is signed.
      const host = { url: `${origin}${tried}`, version, signsPrefix: tried === '' }
      const found = { ...profile, [market]: { ...profile[market], ...host } }
      if (await answers(found, settings, client => client[market].time())) return found
    }
  throw new UsageError(
    `The host ${url} tells its time at no known path (tried ${versions.join(', ')}${prefix === '' ? ` with the prefixes ${prefixes.filter(one => one !== '').join(', ')} and without` : ''}), so that it is no host of this interface, or an unknown one. Look at the address (venue.${market}Url in a configuration), or write a profile of your own as config/profiles/document.yaml shows.`,
  )
}

/** Some hosts take the signed calls of contracts at another version than the public ones. */
async function withSignedVersion(
  profile: ExchangeProfile,
  settings: DetectionSettings,
): Promise<ExchangeProfile> {
  const { version } = profile.futures
  for (const signedVersion of CANDIDATES.futures.versions) {
    const found = { ...profile, futures: { ...profile.futures, signedVersion } }
    if (!(await answers(found, settings, client => client.futures.account(), isNotOffered))) continue
    return signedVersion === version ? profile : found
  }
  return profile
}

/** False if a host does not answer a call as the interface does; throws if it cannot be reached. */
async function answers(
  profile: ExchangeProfile,
  settings: DetectionSettings,
  call: (client: ExchangeClient) => Promise<unknown>,
  isNoAnswer: (error: unknown) => boolean = isOfAnotherPath,
): Promise<boolean> {
  const client = createExchangeClient({ ...settings, profile })
  try {
    await call(client)
    return true
  } catch (error) {
    if (isNoAnswer(error)) return false
    // A refusal of a signed call comes from the call itself.
    if (error instanceof ExchangeError) return true
    throw error
  } finally {
    await client.close()
  }
}

/** True for any answer that is not the time: a refusal, another JSON, or a page, but that of a host in trouble. */
function isOfAnotherPath(error: unknown): boolean {
  if (error instanceof NetworkError) return error.httpStatus !== undefined && error.httpStatus < 500
  return error instanceof ExchangeError || error instanceof MalformedResponseError
}

function remarkOf({ spot, futures }: ExchangeProfile): string {
  const hosts = Object.entries({ spot, futures }).flatMap(
    ([market, { url, version, signedVersion, signsPrefix }]) =>
      url === undefined
        ? []
        : [
            [
              `${market}: { url: "${url}", version: ${version}`,
              ...(signedVersion === undefined ? [] : [`signedVersion: ${signedVersion}`]),
              ...(signsPrefix ? [] : ['signsPrefix: false']),
            ].join(', '),
          ],
  )
  return `The hosts answer as ${hosts.map(host => `${host} }`).join(' and ')}. Nothing else is known of them: market orders that open contracts are not sent. Write this down as a profile of your own with exchange, date and source (config/profiles/document.yaml shows every key), and name its path in venue.profile.`
}

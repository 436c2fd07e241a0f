import type { Endpoint, Host } from '../endpoints/endpoint.ts'
import type { EndpointKey } from '../endpoints.ts'
import { CallNotOfferedError } from '../errors/call-not-offered-error.ts'
import type { BaseUrl } from '../http/base-url.ts'
import type { ExchangeProfile, HostProfile } from './exchange-profile.ts'

/** The version that most calls of a host have in the document. */
const USUAL_VERSION = { spot: 'v2', futures: 'v1' } as const satisfies Record<Host, string>

/** Addresses of the hosts of a client. */
export type Bases = Readonly<Partial<Record<Host, BaseUrl>>>

/**
 * The endpoint table as the hosts of one exchange answer it. Each row is resolved against the profile once: path
 * with prefix and version, headers; throws `CallNotOfferedError` for a row that its host lacks.
 */
export class HostRows {
  readonly #profile: ExchangeProfile
  readonly #bases: Bases
  readonly #resolved = new Map<Endpoint, Endpoint>()

  constructor(profile: ExchangeProfile, bases: Bases) {
    this.#profile = profile
    this.#bases = bases
  }

  /** The row of the table as its host answers it. */
  of<Row extends Endpoint>(row: Row): Row {
    const resolved = this.#resolved.get(row) ?? this.#resolve(row)
    this.#resolved.set(row, resolved)
    return resolved as Row // the same row with other texts
  }

  /** True if the host has a call, by its profile. */
  has({ key, host }: Endpoint): boolean {
    return this.#bases[host] !== undefined && !lists(this.#profile[host].lacks, key)
  }

  #resolve(row: Endpoint): Endpoint {
    const host = this.#profile[row.host]
    const base = this.#bases[row.host]
    if (lists(host.lacks, row.key)) throw notOffered(row, base, this.#profile.name)
    const prefix = host.signsPrefix ? base?.prefix : ''
    const { headers, ...plain } = row
    const sent = Object.entries(headers ?? {}).filter(([name]) => !host.omitsHeaders.includes(name))
    return {
      ...plain,
      path: `${prefix ?? ''}${versionedPath(row, host)}`,
      ...(sent.length > 0 && { headers: Object.fromEntries(sent) }),
    }
  }
}

/** Text of a URL before the signed path, by host. */
export function urlsBeforePath(profile: ExchangeProfile, bases: Bases): Partial<Record<Host, string>> {
  const before = (host: Host): string | undefined => {
    const base = bases[host]
    return base && `${base.origin}${profile[host].signsPrefix ? '' : base.prefix}`
  }
  const [spot, futures] = [before('spot'), before('futures')]
  return { ...(spot !== undefined && { spot }), ...(futures !== undefined && { futures }) }
}

function versionedPath({ key, host, path, security }: Endpoint, profile: HostProfile): string {
  const own = Object.entries(profile.versions).find(([of]) => of === key)?.[1]
  const usual = (security === 'NONE' ? undefined : profile.signedVersion) ?? profile.version
  return path.replace(/^(\/[sf]api\/)(v\d)(?=\/)/, (_, root: string, documented: string) => {
    const version = own ?? (documented === USUAL_VERSION[host] ? usual : undefined)
    return `${root}${version ?? documented}`
  })
}

function lists(keys: readonly EndpointKey[], key: string): boolean {
  return keys.some(listed => listed === key)
}

function notOffered(
  { key, host }: Endpoint,
  base: BaseUrl | undefined,
  profile: string,
): CallNotOfferedError {
  const name = base === undefined ? `the ${host} host` : new URL(base.origin).host
  return new CallNotOfferedError(key, name, profile, INSTEAD.get(key) ?? 'There is no other way to do this.')
}

/** Replacement of each call that the bot can do without, a whole sentence. */
const INSTEAD: ReadonlyMap<string, string> = new Map<EndpointKey, string>([
  ['futuresTickerAll', 'The ticker of each contract is read by itself instead.'],
  ['futuresTransactions', 'The bot derives funding from position and funding rate instead.'],
  ['futuresConditionOrder', 'The bot watches trigger prices itself instead.'],
  ['futuresOrderHistorical', 'The bot looks lost orders up among own trades and open orders instead.'],
  ['spotHistoryOrders', 'The bot looks lost orders up among own trades and open orders instead.'],
  ['spotMyTradesV3', 'Own trades are read by id (spotMyTradesV2) instead.'],
  ['spotTime', 'The time is read from the futures host instead.'],
  ['futuresTime', 'The time is read from the spot host instead.'],
])

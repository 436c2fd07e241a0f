import type { Endpoint, Host } from '../../exchange/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../exchange/endpoints.ts'

/** A version in the path of a call; empty for the feeds, whose paths have none of their own. */
export type Version = 'v1' | 'v2' | 'v3' | ''

/** A call of the interface, and the path at which a host is asked for it, without the prefix of the host. */
export interface AskedPath {
  readonly row: Endpoint
  readonly version: Version
  readonly path: string
  /** True for the version of the interface document. */
  readonly isDocumented: boolean
}

/** Instruments that calls are asked about. */
export interface Sample {
  /** A pair, `BASE/QUOTE`. */
  readonly symbol?: string | undefined
  /** A contract by its name. */
  readonly contractName?: string | undefined
}

const VERSIONED = /^(\/[sf]api\/)(v\d)(?=\/)/
const VERSIONS = { spot: ['v2', 'v1', 'v3'], futures: ['v1', 'v2'] } as const

/** All rows of the endpoint table. */
export const ROWS: readonly Endpoint[] = Object.values(ENDPOINTS)

/** Versions at which the calls of a host are asked for, the most usual one in the document first. */
export function versionsOf(host: Host): readonly Version[] {
  return VERSIONS[host]
}

/** The version of a row in the interface document. */
export function documentedVersion({ path }: Endpoint): Version {
  return (VERSIONED.exec(path)?.[2] ?? '') as Version // by the pattern
}

/** The path of a row at another version. */
export function pathAt({ path }: Endpoint, version: Version): string {
  return path.replace(VERSIONED, (_, root: string) => `${root}${version}`)
}

/**
 * Every path at which the rows may be found, those of the document first. A path that two rows share is asked for
 * once, for the first of them.
 */
export function askedPaths(rows: readonly Endpoint[]): readonly AskedPath[] {
  const documented = rows.map(row => askedAt(row, documentedVersion(row)))
  const further = documented.flatMap(({ row, version }) =>
    version === ''
      ? []
      : versionsOf(row.host)
          .filter(other => other !== version)
          .map(other => askedAt(row, other)),
  )
  const taken = new Set<string>()
  return [...documented, ...further].filter(({ path }) => !taken.has(path) && taken.add(path))
}

function askedAt(row: Endpoint, version: Version): AskedPath {
  return { row, version, path: pathAt(row, version), isDocumented: version === documentedVersion(row) }
}

/** Parameters by which a read answers little, or is refused for an order that does not exist. */
const PARAMETERS = { limit: '5', interval: '1min', orderId: '1' } as const
/** Query of a read with all parameters that it knows; a POST has none. */
export function queryOf({ method, request }: Endpoint, { symbol, contractName }: Sample): string {
  if (method === 'POST') return ''
  const values: Readonly<Record<string, string | undefined>> = {
    ...PARAMETERS,
    ...{ symbol, contractName, ticker_id: contractName },
  }
  const pairs = Object.keys(request.shape).flatMap(name => {
    const value = values[name]
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

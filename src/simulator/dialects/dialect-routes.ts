import { ENDPOINTS, type EndpointKey } from '../../exchange/endpoints.ts'
import { type ExchangeHost, isFuturesPath } from '../protocol/exchange-host.ts'
import type { Dialect } from './dialect.ts'

/** A call as the document names it. */
export interface DocumentedCall {
  readonly key: EndpointKey
  readonly path: string
  readonly host: ExchangeHost
}

const VERSIONED = /^\/([sf]api\/v\d)(\/.*)$/

/** Calls of a dialect by method and path, without the prefix of the host. */
export function routesOf(dialect: Dialect): ReadonlyMap<string, DocumentedCall> {
  const routes = new Map<string, DocumentedCall>()
  for (const [name, { method, path, security }] of Object.entries(ENDPOINTS)) {
    const key = name as EndpointKey // a key of the table
    const host = isFuturesPath(path) ? 'futures' : 'spot'
    if (dialect.missing?.includes(key) || (dialect.onlyHost ?? host) !== host) continue
    for (const served of servedPaths(path, security !== 'NONE', dialect)) {
      routes.set(`${method} ${served}`, { key, path, host })
    }
  }
  return routes
}

function servedPaths(path: string, isSigned: boolean, { versions = {} }: Dialect): readonly string[] {
  const [, version = '', rest = ''] = VERSIONED.exec(path) ?? []
  const served = versions[version]
  if (served === undefined) return [path]
  const list = 'public' in served ? served[isSigned ? 'signed' : 'public'] : served
  return list.map(name => `/${name}${rest}`)
}

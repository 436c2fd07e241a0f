import { nearestName } from '../../domain/nearest-name.ts'
import { ENDPOINTS } from '../../exchange/endpoints.ts'

/** Returns true if a call of a method and a path matches. */
export type EndpointPattern = (method: string, path: string) => boolean

const ROWS: ReadonlyMap<string, { readonly method: string; readonly path: string }> = new Map(
  Object.entries(ENDPOINTS),
)
const PATTERN = /^(?:(GET|POST) )?(\*|\/[^\s?]*)$/

/**
 * The pattern of a text: the key of a row of the endpoint table (`spotNewOrder`), or a path with `*` as
 * wildcard and an optional method before it (`POST /sapi/*`). `undefined` for any other text.
 */
export function endpointPattern(text: string): EndpointPattern | undefined {
  const row = ROWS.get(text)
  if (row !== undefined) return (method, path) => method === row.method && path === row.path
  const [, wantedMethod, wantedPath] = PATTERN.exec(text) ?? []
  if (wantedPath === undefined) return undefined
  const parts = wantedPath.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  const matching = new RegExp(`^${parts.join('.*')}$`)
  return (method, path) => (wantedMethod ?? method) === method && matching.test(path)
}

/** Expected format of an endpoint's name, with the nearest key as an example. */
export function expectedEndpoint(text: string): string {
  const nearest = nearestName(text, [...ROWS.keys()])
  const hint = nearest === undefined ? 'spotNewOrder' : nearest
  return `a key of the endpoint table such as ${hint}, or a path such as "POST /sapi/*"`
}

/** The two hosts of the exchange; one server may be both. */
export type ExchangeHost = 'spot' | 'futures'

/**
 * True if a host serves a path: the futures host serves the futures interface only, the spot host the rest.
 */
export function answersPath(host: ExchangeHost, path: string): boolean {
  return (host === 'futures') === isFuturesPath(path)
}

/** True if a path belongs to the futures interface, which has its own envelope for refusals. */
export function isFuturesPath(path: string): boolean {
  return path.startsWith('/fapi/') || path.startsWith('/pub/')
}

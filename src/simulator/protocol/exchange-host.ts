/** The two hosts of the exchange; one server may be both. */
export type ExchangeHost = 'spot' | 'futures'

/** Whether a host answers a path: the futures host the futures interface and nothing else, the spot host the rest. */
export function answersPath(host: ExchangeHost, path: string): boolean {
  return (host === 'futures') === isFuturesPath(path)
}

/** Whether a path belongs to the futures interface, whose refusals come in an envelope of their own. */
export function isFuturesPath(path: string): boolean {
  return path.startsWith('/fapi/') || path.startsWith('/pub/')
}

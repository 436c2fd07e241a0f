import type { IncomingHttpHeaders } from 'node:http'
import { isLoopback } from './loopback.ts'

/** What is known of a request before its body is read. */
export interface AdminRequest {
  /** Address of the peer. */
  readonly address: string | undefined
  readonly headers: IncomingHttpHeaders
}

/**
 * Why a request may not use the admin side; `undefined` for one that may. A web page that a browser on this machine shows
 * has a loopback address too: it is told by its Origin, and, where its name was made to lead here, by the Host.
 */
export function adminAccessProblem({ address, headers }: AdminRequest): string | undefined {
  if (!isLoopback(address)) return 'The admin side serves the machine it runs on only.'
  const host = hostnameOf(headers.host)
  if (host === undefined || !isLocalName(host)) {
    return `The admin side is asked for by the name of this machine only: use 127.0.0.1 or localhost instead of the Host "${headers.host ?? ''}".`
  }
  const { origin } = headers
  if (origin !== undefined && origin.toLowerCase() !== `http://${headers.host?.toLowerCase()}`) {
    return `The admin side serves no web page of another origin, but the Origin is "${origin}"; send the request from a program, without Origin.`
  }
  return undefined
}

function isLocalName(hostname: string): boolean {
  return hostname === 'localhost' || isLoopback(hostname)
}

/** The name in a Host header, without port and brackets. */
function hostnameOf(host: string | undefined): string | undefined {
  return host
    ?.toLowerCase()
    .match(/^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d*)?$/)
    ?.slice(1)
    .find(Boolean)
}

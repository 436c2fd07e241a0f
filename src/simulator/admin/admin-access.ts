import type { IncomingHttpHeaders } from 'node:http'
import { isLoopback } from './loopback.ts'

/** Parts of a request known before its body is read. */
export interface AdminRequest {
  /** Address of the peer. */
  readonly address: string | undefined
  readonly headers: IncomingHttpHeaders
}

/**
 * Reason to refuse a request to the admin side; `undefined` if it is allowed. A web page in a browser on this
 * machine has a loopback address too: its Origin gives it away, or, with a name that resolves to here, its
 * Host.
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

import type { FastifyRequest } from 'fastify'
import { PROBE_PATHS } from './probe-paths.ts'

/** Reason of a refusal, with the status of the answer. */
export interface Refused {
  readonly status: 400 | 401 | 403 | 415 | 421 | 429
  /** A whole sentence. */
  readonly error: string
}

/**
 * Refuses requests that pages of other origins may have sent. A name that resolves to this machine (DNS rebinding)
 * shows in the Host, another page in the Origin or the fetch metadata of the browser.
 */
export function foreignRequest(
  { method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>,
  origins: ReadonlyMap<string, string>,
): Refused | undefined {
  const own = origins.get(headers.host ?? '')
  if (own === undefined)
    return {
      status: 421,
      error: `This window is not served under the name "${headers.host ?? ''}"; open it by the address that the bot printed.`,
    }
  const isSafe = method === 'GET' || method === 'HEAD'
  const { origin } = headers
  if (origin === undefined ? !isSafe : origin !== own)
    return { status: 403, error: 'This request comes from another page, or does not say from which.' }
  const site = headers['sec-fetch-site']
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none'
  const isForPrograms = PROBE_PATHS.some(path => url === path || url.startsWith(`${path}?`))
  if ((url.startsWith('/api/') || isForPrograms) && !isOwnSite)
    return { status: 403, error: 'This request comes from another page.' }
  if (!isSafe && !/^application\/json(;|$)/.test(headers['content-type'] ?? ''))
    return { status: 415, error: 'Only JSON is taken; send it as application/json.' }
  return undefined
}

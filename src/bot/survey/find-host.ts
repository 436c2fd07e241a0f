import type { Host } from '../../exchange/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../exchange/endpoints.ts'
import { pathAt, type Version, versionsOf } from './asked-paths.ts'
import type { HostCaller } from './host-caller.ts'
import type { HostReply } from './host-reply.ts'
import { dataOf, isObject } from './json-entries.ts'

/** Address of the interface on a host. */
export interface FoundHost {
  /** Path before that of every call. */
  readonly prefix: string
  /** Version of the call that answered first. */
  readonly version: Version
}

/** Prefixes that hosts of this interface are known to have. */
const KNOWN_PREFIXES = { spot: ['', '/spot/open'], futures: ['', '/futures/open'] } as const

/**
 * Looks for the calls of a host behind its origin: `time` at each version, behind the given prefix or, without one,
 * behind each known prefix; then the list of instruments, for a host without a clock. Resolves to a sentence where
 * nothing answers as the interface does.
 */
export async function findHost(
  caller: HostCaller,
  host: Host,
  prefix: string | undefined,
): Promise<FoundHost | string> {
  const { spotTime, futuresTime, spotSymbols, futuresContracts } = ENDPOINTS
  const [time, list] = host === 'spot' ? [spotTime, spotSymbols] : [futuresTime, futuresContracts]
  let last: HostReply | undefined
  for (const row of [time, list]) {
    for (const before of prefix === undefined ? KNOWN_PREFIXES[host] : [prefix]) {
      for (const version of versionsOf(host)) {
        last = await caller.ask({ method: 'GET', path: `${before}${pathAt(row, version)}` })
        if (isOfTheInterface(last)) return { prefix: before, version }
        if (last.kind === 'silence' && isHopeless(last)) return last.reason
        if (last.kind === 'unasked') return last.reason
      }
    }
  }
  return whyNot(caller.origin, host, last)
}

/** True for the time of a host, and for a list of instruments. */
function isOfTheInterface(reply: HostReply): boolean {
  if (reply.kind !== 'answer') return false
  const content = dataOf(reply.json)
  if (Array.isArray(content)) return content.some(entry => isObject(entry) && 'multiplier' in entry)
  return isObject(content) && ['serverTime', 'server_time', 'symbols'].some(key => key in content)
}

/** A host that nothing listens at, or without an address, is not asked again. */
function isHopeless({ reason }: { readonly reason: string }): boolean {
  return !reason.includes('did not answer')
}

function whyNot(origin: string, host: Host, last: HostReply | undefined): string {
  const [root, calls] = host === 'spot' ? ['/sapi', 'spot'] : ['/fapi', 'futures']
  const asked = `time and the list of instruments were asked for under ${root}`
  if (last?.kind === 'page') {
    const { status, headers } = last.raw
    if (status >= 300 && status < 400)
      return `${origin} sends all calls on to ${String(headers.location)} (HTTP ${status}); give that address, if it is the exchange's.`
    if (status !== 404)
      return `${origin} answers with pages instead of JSON (HTTP ${status}): the network in front of the exchange keeps this machine out, or it is no host of an API. Look at the address, and try from another place.`
  }
  if (last?.kind === 'silence') return last.reason
  return `${origin} does not serve the ${calls} calls of this interface: ${asked}, and nothing answered as the interface document says.`
}

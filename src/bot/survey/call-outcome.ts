import type { Endpoint } from '../../exchange/endpoints/endpoint.ts'
import { type HostReply, likeness } from './host-reply.ts'

/**
 * What a reply says about a call at one path: `answered`, `refused` (for a reason of its own, so it exists),
 * `wantsKey`, `keyRefused`, `missing`, `ambiguous` (a missing call and one that wants a key get the same reply),
 * `untold` (a POST, which is not sent), `failed` (no readable reply) or `unasked`.
 */
export type CallOutcome =
  | 'answered'
  | 'refused'
  | 'wantsKey'
  | 'keyRefused'
  | 'missing'
  | 'ambiguous'
  | 'untold'
  | 'failed'
  | 'unasked'

/** Codes about the key, its signature and its timestamp. */
const ABOUT_THE_KEY: ReadonlySet<number | undefined> = new Set([
  ...[-1002, -1004, -1021, -1022, -1023, -1024, -2015, -2200],
])
const UNAUTHORIZED = -1002
const NOT_FOUND = 404

/**
 * CallOutcome of a request. `strays`: the likenesses of replies to paths that no host has; `isSigned`: the request had a
 * key.
 */
export function outcomeOf(
  { method, security }: Endpoint,
  reply: HostReply,
  strays: ReadonlySet<string>,
  isSigned: boolean,
): CallOutcome {
  if (reply.kind === 'answer') return 'answered'
  if (reply.kind === 'unasked') return 'unasked'
  const isMissing = isNowhere(reply, strays)
  if (method === 'POST' && isMissing) return 'untold'
  if (isMissing) return isAmbiguous(reply, security !== 'NONE', isSigned) ? 'ambiguous' : 'missing'
  if (reply.kind !== 'refusal') return 'failed'
  if (!ABOUT_THE_KEY.has(reply.code)) return 'refused'
  return isSigned ? 'keyRefused' : 'wantsKey'
}

function isNowhere(reply: HostReply, strays: ReadonlySet<string>): boolean {
  if (strays.has(likeness(reply) ?? '')) return true
  if (reply.kind === 'page') return reply.raw.status === NOT_FOUND
  return reply.kind === 'refusal' && reply.code === undefined && reply.raw.status === NOT_FOUND
}

/** A gateway may say the same of a missing call and of one without a key. */
function isAmbiguous(reply: HostReply, needsKey: boolean, isSigned: boolean): boolean {
  return needsKey && !isSigned && reply.kind === 'refusal' && reply.code === UNAUTHORIZED
}

/** True if a call exists at the path. */
export function exists(outcome: CallOutcome): boolean {
  return ['answered', 'refused', 'wantsKey', 'keyRefused'].includes(outcome)
}

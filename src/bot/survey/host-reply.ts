import { refusalIn } from '../../exchange/call/error-envelope.ts'
import { RATE_LIMIT_STATUSES } from '../../exchange/errors/exchange-error.ts'
import { type LosslessJson, parseLossless } from '../../exchange/wire/lossless-json.ts'

/** A complete HTTP answer, with the moments of its request by the local clock, ms UTC. */
export interface RawReply {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly sentAt: number
  readonly receivedAt: number
}

/** The reply to one request, by its meaning. */
export type HostReply =
  | { readonly kind: 'answer'; readonly raw: RawReply; readonly json: LosslessJson }
  /** A refusal in JSON; `reason` does not name the path. */
  | {
      readonly kind: 'refusal'
      readonly raw: RawReply
      readonly code: number | undefined
      readonly reason: string
    }
  /** No JSON: a page of a web server, or of the network in front of the host. */
  | { readonly kind: 'page'; readonly raw: RawReply }
  /** A rate limit is broken; no further request is sent to this host. */
  | { readonly kind: 'limit'; readonly raw: RawReply }
  /** No complete answer came; `reason` is a sentence. */
  | { readonly kind: 'silence'; readonly reason: string }
  /** The request was not sent; `reason` is a sentence. */
  | { readonly kind: 'unasked'; readonly reason: string }

const TOO_MANY_REQUESTS = -1003
const EXCERPT = 100

/** Meaning of a complete answer to a request for `path`. */
export function replyOf(raw: RawReply, path: string): HostReply {
  if (RATE_LIMIT_STATUSES.has(raw.status)) return { kind: 'limit', raw }
  const json = parsed(raw.text)
  if (json === undefined) return { kind: 'page', raw }
  const refusal = refusalIn(json)
  if (refusal?.code === TOO_MANY_REQUESTS) return { kind: 'limit', raw }
  const isSuccess = raw.status >= 200 && raw.status < 300
  if (refusal === undefined && isSuccess) return { kind: 'answer', raw, json }
  const reason = (refusal?.reason ?? raw.text.slice(0, EXCERPT)).replaceAll(path, 'the path')
  return { kind: 'refusal', raw, code: refusal?.code, reason }
}

function parsed(text: string): LosslessJson | undefined {
  try {
    return parseLossless(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Text by which two replies are alike: status, code and reason of a refusal, status of a page; `undefined` for others. */
export function likeness(reply: HostReply): string | undefined {
  if (reply.kind === 'refusal') return `${reply.raw.status} ${reply.code} ${reply.reason}`
  if (reply.kind === 'page') return `page ${reply.raw.status}`
  return undefined
}

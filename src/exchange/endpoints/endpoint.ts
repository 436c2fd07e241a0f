import type { z } from 'zod'

/** Parameters of a call by their wire names: the query of a GET, the body of a POST. */
export type RequestFields = Readonly<Record<string, unknown>>

/** Base URL that an endpoint belongs to. */
export type Host = 'spot' | 'futures'

/** Authentication of a call (interface section 5.3): none, or signed with a key. */
type Security = 'NONE' | 'TRADE' | 'USER_DATA'

/** At most `calls` calls in any `perMs` ms (interface section 8). */
interface RateLimit {
  readonly calls: number
  readonly perMs: number
}

/**
 * One endpoint of the exchange interface. `request` is what the interface document allows, in wire names; it
 * accepts text, numbers or decimals and returns exact values. `response` parses the answer's JSON (without an
 * envelope around `data`).
 */
export interface Endpoint<Request extends z.ZodObject = z.ZodObject, Response extends z.ZodType = z.ZodType> {
  readonly key: string
  readonly method: 'GET' | 'POST'
  readonly host: Host
  readonly path: string
  readonly security: Security
  /** A `write` changes state at the exchange and is never sent again; a `read` may be repeated freely. */
  readonly effect: 'read' | 'write'
  /** Weight of one call, or a function of the checked parameters. */
  readonly weight: number | ((fields: RequestFields) => number)
  readonly rateLimit?: RateLimit
  /** Headers beyond those of every call (interface section 5.7). */
  readonly headers?: Readonly<Record<string, string>>
  /** Number of past months that a call may ask for. */
  readonly historyMonths?: number
  /** The answer has content beside `data`, so its envelope is kept. */
  readonly keepsEnvelope?: true
  readonly request: Request
  readonly response: Response
  /** Section of the interface document. */
  readonly section: string
  /** Purpose of the endpoint, in one sentence. */
  readonly doc: string
}

/** Types one row of the endpoint table. */
export function defineEndpoint<Request extends z.ZodObject, Response extends z.ZodType>(
  endpoint: Endpoint<Request, Response>,
): Endpoint<Request, Response> {
  return endpoint
}

/** Weight of one call with checked parameters. */
export function weightOf(endpoint: Endpoint, fields: RequestFields): number {
  return typeof endpoint.weight === 'number' ? endpoint.weight : endpoint.weight(fields)
}

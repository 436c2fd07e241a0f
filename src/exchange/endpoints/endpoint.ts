import type { z } from 'zod'

/** Parameters of a call by their wire names: the query of a GET, the body of a POST. */
export type RequestFields = Readonly<Record<string, unknown>>

/** Which base URL an endpoint hangs on. */
export type Host = 'spot' | 'futures'

/** Who may call (interface section 5.3): anyone, or whoever signs with a key. */
type Security = 'NONE' | 'TRADE' | 'USER_DATA'

/** At most `calls` calls in any `perMs` ms (interface section 8). */
interface RateLimit {
  readonly calls: number
  readonly perMs: number
}

/**
 * One endpoint of the exchange interface. `request` is what the interface document allows, in wire names; it takes text,
 * numbers or decimals and gives exact values. `response` takes the answer's JSON (an envelope around `data` removed).
 */
export interface Endpoint<Request extends z.ZodObject = z.ZodObject, Response extends z.ZodType = z.ZodType> {
  readonly key: string
  readonly method: 'GET' | 'POST'
  readonly host: Host
  readonly path: string
  readonly security: Security
  /** A `write` changes something at the exchange and is never resent; a `read` may be repeated freely. */
  readonly effect: 'read' | 'write'
  /** Weight of one call, or how it follows from the checked parameters. */
  readonly weight: number | ((fields: RequestFields) => number)
  readonly rateLimit?: RateLimit
  /** Headers beyond those of every call (interface section 5.7). */
  readonly headers?: Readonly<Record<string, string>>
  /** Only times of so many past months can be asked for. */
  readonly historyMonths?: number
  /** The answer has content beside `data`, so its envelope is not taken off. */
  readonly keepsEnvelope?: true
  readonly request: Request
  readonly response: Response
  /** Section of the interface document. */
  readonly section: string
  /** What the endpoint gives or does, in one sentence. */
  readonly doc: string
}

/** Types one row of the endpoint table. */
export function defineEndpoint<Request extends z.ZodObject, Response extends z.ZodType>(
  endpoint: Endpoint<Request, Response>,
): Endpoint<Request, Response> {
  return endpoint
}

/** The weight of one call with checked parameters. */
export function weightOf(endpoint: Endpoint, fields: RequestFields): number {
  return typeof endpoint.weight === 'number' ? endpoint.weight : endpoint.weight(fields)
}

import type { ExchangeResponse } from '../protocol/exchange-response.ts'
import { type ExchangeRequest, splitTarget } from '../protocol/request-authentication.ts'
import type { Dialect } from './dialect.ts'
import { dialectAnswer } from './dialect-answer.ts'
import { documentedRequest } from './dialect-request.ts'
import { type DocumentedCall, routesOf } from './dialect-routes.ts'
import { type DialectName, dialectOf } from './dialects.ts'
import { htmlNotFound, springNotFound } from './not-found.ts'

/** A path that no exchange has. */
const NOWHERE = '/unknown'

/** A request as the documented exchange takes it. */
export interface HeardRequest {
  readonly request: ExchangeRequest
  /** Turns the documented answer, given at `now`, ms UTC, into the answer of this host. */
  readonly answer: (response: ExchangeResponse, now: number) => ExchangeResponse
}

/** Translates between the clients of a host and an exchange as documented. */
export interface ExchangeEdge {
  /** Time between the answer to a cancel and its execution, ms. */
  readonly cancelDelayMs: number
  hear(request: ExchangeRequest): HeardRequest
}

const DOCUMENT: ExchangeEdge = {
  cancelDelayMs: 0,
  hear: request => ({ request, answer: response => response }),
}

/** The edge of an exchange that speaks a dialect. */
export function edgeOf(name: DialectName): ExchangeEdge {
  return name === 'document' ? DOCUMENT : new DialectEdge(dialectOf(name))
}

class DialectEdge implements ExchangeEdge {
  readonly cancelDelayMs: number
  readonly #dialect: Dialect
  readonly #routes: ReadonlyMap<string, DocumentedCall>

  constructor(dialect: Dialect) {
    this.#dialect = dialect
    this.#routes = routesOf(dialect)
    this.cancelDelayMs = dialect.cancelDelayMs ?? 0
  }

  hear(request: ExchangeRequest): HeardRequest {
    const found = this.#find(request)
    if (found === undefined) return this.#stray(request)
    const { target, call } = found
    const interval = new URLSearchParams(splitTarget(target).query).get('interval')
    const isEmpty =
      call.key === 'futuresKlines' && this.#dialect.emptyFuturesKlines?.includes(interval ?? '') === true
    return {
      request: documentedRequest(request, target, call, this.#dialect),
      answer: response =>
        isEmpty && response.status === 200
          ? { ...response, body: '[]' }
          : dialectAnswer(response, call, this.#dialect),
    }
  }

  /** The call of a request, and its target without the prefix of its host. */
  #find({ method, target }: ExchangeRequest): { target: string; call: DocumentedCall } | undefined {
    for (const host of ['spot', 'futures'] as const) {
      const prefix = this.#dialect.prefixes?.[host] ?? ''
      if (!target.startsWith(`${prefix}/`)) continue
      const rest = target.slice(prefix.length)
      const call = this.#routes.get(`${method} ${splitTarget(rest).path}`)
      if (call?.host === host) return { target: rest, call }
    }
    return undefined
  }

  /** The exchange counts the request and finds no such path; this host says so in its own way. */
  #stray(request: ExchangeRequest): HeardRequest {
    const { path } = splitTarget(request.target)
    return {
      request: { ...request, target: NOWHERE },
      answer: (response, now) => (response.status === 404 ? this.#notFound(response, path, now) : response),
    }
  }

  #notFound(response: ExchangeResponse, path: string, now: number): ExchangeResponse {
    const { notFound, refusesWithOk } = this.#dialect
    if (notFound === 'spring') return springNotFound(path, now)
    if (notFound === 'html') return htmlNotFound()
    return { ...response, status: refusesWithOk ? 200 : 404 }
  }
}

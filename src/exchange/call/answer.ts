import type { z } from 'zod'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { exchangeCodeOf } from '../errors/exchange-code.ts'
import { ExchangeError, RATE_LIMIT_STATUSES } from '../errors/exchange-error.ts'
import { MalformedResponseError } from '../errors/malformed-response-error.ts'
import { NetworkError } from '../errors/network-error.ts'
import { NotSentError } from '../errors/not-sent-error.ts'
import type { HttpResponse } from '../http/transport.ts'
import { DuplicateKeyError, type LosslessJson, parseLossless } from '../wire/lossless-json.ts'
import { contentOf, refusalIn } from './error-envelope.ts'
import { parseCompiled } from './parse-compiled.ts'

const EXCERPT_LENGTH = 120
const BYTE_ORDER_MARK = 0xfeff
/** First byte of gzip. */
const GZIP = '\u001f'
/** Control characters, and bytes that are no text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\ufffd]+/gu

/**
 * Content of an answer. The body is read at any HTTP status, because live hosts refuse with HTTP 200.
 * Throws `ExchangeError` for a refusal; `NetworkError` for a 408 or 5xx without one, and for a page of the
 * network in front of the exchange (the exchange itself refuses in JSON, only its limits have HTTP statuses
 * of their own); `MalformedResponseError` for an answer that the interface does not describe, such as an
 * object with a duplicate key, except in an answer that reports a broken limit. `redact` removes secrets from
 * the text that errors quote.
 */
export function readAnswer<Row extends Endpoint>(
  endpoint: Row,
  { status, body }: HttpResponse,
  redact: (text: string) => string,
): z.output<Row['response']> {
  const read = parsed(body)
  // It is unknown which of the two values the exchange means, in a success or a refusal. A broken limit is
  // known by its HTTP status alone.
  if (read instanceof DuplicateKeyError && status < 500 && !RATE_LIMIT_STATUSES.has(status))
    throw malformed(
      endpoint,
      status,
      redact(`an object names ${JSON.stringify(read.key)} twice.`),
      redact(body),
    )
  const json = read instanceof DuplicateKeyError ? undefined : read
  const refusal = json === undefined ? undefined : refusalIn(json)
  if (refusal !== undefined) throw refused(endpoint, status, refusal.code, redact(refusal.reason))
  const isSuccess = status >= 200 && status < 300
  if (status >= 500 || status === 408)
    throw new NetworkError(
      endpoint.key,
      `It answered HTTP ${status} without readable content.`,
      undefined,
      status,
    )
  if (!isSuccess && json === undefined && !RATE_LIMIT_STATUSES.has(status))
    throw new NetworkError(
      endpoint.key,
      status === 404
        ? `It answered HTTP 404 without JSON: it does not know ${endpoint.path}. Is venue.profile that of this host? npm run doctor -- --venue shows which calls it has.`
        : `It answered HTTP ${status} without JSON, as a network in front of it does.`,
      undefined,
      status,
    )
  if (!isSuccess) throw refused(endpoint, status, undefined, excerptOf(redact(body)))
  if (json === undefined) throw malformed(endpoint, status, noJsonText(body), redact(body), false)
  const content = parseCompiled(endpoint.response, endpoint.keepsEnvelope ? json : contentOf(json))
  // The row's own schema made this value, but safeParse loses its generic type.
  if (content.success) return content.data as z.output<Row['response']>
  const issue = content.error.issues[0]
  const what = `${issue?.path.join('.') || 'its content'}: ${issue?.message}.`
  throw malformed(endpoint, status, redact(what), redact(body))
}

/** True if a write that ended with this error may still have been executed. */
export function leavesOutcomeUnknown(error: unknown): boolean {
  if (error instanceof NetworkError || error instanceof MalformedResponseError) return true
  if (!(error instanceof ExchangeError)) return false
  if (error.httpStatus === 504) return true
  // A refusal with an unreadable code may be a success of a host with codes of its own.
  if (error.exchangeCode === undefined && error.httpStatus < 300) return true
  const known = error.exchangeCode === undefined ? undefined : exchangeCodeOf(error.exchangeCode)
  return known === undefined ? error.httpStatus >= 500 : known.outcomeUnknown === true
}

/** True if a page of the network in front of the exchange came instead of its answer. */
export function isPage(error: unknown): boolean {
  if (error instanceof MalformedResponseError) return !error.isJson
  return error instanceof NetworkError && error.httpStatus !== undefined
}

/** True if the same read may well succeed a moment later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof NotSentError || error instanceof NetworkError) return true
  if (!(error instanceof ExchangeError)) return false
  return error.httpStatus >= 500 || leavesOutcomeUnknown(error)
}

/** Some hosts begin an answer with a byte order mark, which is no part of JSON. */
function parsed(body: string): LosslessJson | DuplicateKeyError | undefined {
  try {
    return parseLossless(body.charCodeAt(0) === BYTE_ORDER_MARK ? body.slice(1) : body)
  } catch (error) {
    return error instanceof DuplicateKeyError ? error : undefined
  }
}

function refused(endpoint: Endpoint, httpStatus: number, exchangeCode: number | undefined, reason: string) {
  const isPublic = endpoint.security === 'NONE'
  return new ExchangeError({ endpoint: endpoint.key, httpStatus, exchangeCode, reason, isPublic })
}

function malformed(endpoint: Endpoint, status: number, what: string, body: string, isJson = true) {
  return new MalformedResponseError(endpoint.key, status, what, excerptOf(body), isJson)
}

function noJsonText(body: string): string {
  return body.startsWith(GZIP) ? 'it is compressed, which the request did not ask for.' : 'it is no JSON.'
}

/** The beginning of an answer on one line, without characters that would act on a terminal. */
function excerptOf(body: string): string {
  const begin = body.slice(0, EXCERPT_LENGTH).replaceAll(UNPRINTABLE, ' ').trim()
  if (begin === '') return '(nothing)'
  return body.length <= EXCERPT_LENGTH ? begin : `${begin}…`
}

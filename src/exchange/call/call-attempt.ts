import type { z } from 'zod'
import type { Clock } from '../../domain/clock.ts'
import type { CallGate, GateCall, Ticket } from '../budget/call-gate.ts'
import { type RateLimitBreach, rateLimitBreach } from '../budget/rate-limit-breach.ts'
import { RateLimitedError } from '../budget/rate-limited-error.ts'
import type { ServerClock } from '../clock/server-clock.ts'
import type { Endpoint, RequestFields } from '../endpoints/endpoint.ts'
import { ExchangeError } from '../errors/exchange-error.ts'
import { MalformedResponseError } from '../errors/malformed-response-error.ts'
import { NetworkError } from '../errors/network-error.ts'
import { NotSentError } from '../errors/not-sent-error.ts'
import { UnknownOutcomeError } from '../errors/unknown-outcome-error.ts'
import { AnswerTooLongError } from '../http/answer-too-long-error.ts'
import { type RequestSettings, signedRequest } from '../http/signed-request.ts'
import { type HttpResponse, type Transport, wasNotSent } from '../http/transport.ts'
import { leavesOutcomeUnknown, readAnswer } from './answer.ts'
import type { RequestCounts } from './request-counts.ts'

/** Settings that all attempts share. */
export interface AttemptSettings extends RequestSettings {
  readonly clock: Clock
  readonly transport: Transport
  readonly gate: CallGate
  readonly requests: RequestCounts
  /** Sent with signed calls where given; the exchange's default is 1000 ms. */
  readonly recvWindowMs: number | undefined
}

/** A write that is about to be sent. */
export interface Departure {
  /** X-CH-TS of the request: server time, ms UTC. */
  readonly timestamp: number
  /** Period after `timestamp` in which the exchange may accept the request, ms. */
  readonly recvWindowMs: number
}

/** Flushes the notes so far to disk; if it throws, the request is not sent. */
type Commit = () => void

/**
 * Notes a write before it is sent; if it throws, the request is not sent. The transport calls the returned
 * function right before the first byte.
 */
export type OnDeparture = (departure: Departure) => Commit | undefined

/** An answer, with the send and receive times of its call by the local clock, ms UTC. */
export interface Answered<Value> {
  readonly value: Value
  readonly sentAt: number
  readonly receivedAt: number
}

/** Default window of the exchange (interface section 5.6). */
export const DEFAULT_RECV_WINDOW_MS = 1000

/**
 * Waits for its turn, sends one request and reads its answer. `stamp` gives the timestamp at the last moment;
 * if it throws, the request is not sent. A write whose outcome is unknown rejects with `UnknownOutcomeError`.
 */
export async function attemptCall<Row extends Endpoint>(
  entry: GateCall & { readonly endpoint: Row },
  fields: RequestFields,
  stamp: () => number,
  settings: AttemptSettings & { readonly serverClock: Pick<ServerClock, 'now'> },
  onDeparture?: OnDeparture,
): Promise<Answered<z.output<Row['response']>>> {
  const { endpoint } = entry
  const { recvWindowMs = DEFAULT_RECV_WINDOW_MS } = settings
  const ticket = settings.gate.enterAtOnce(entry) ?? (await settings.gate.enter(entry))
  const { timestamp, request, commit } = prepared(ticket, () => {
    // The signal may have been aborted between the call's turn and now.
    entry.signal?.throwIfAborted()
    const timestamp = stamp()
    const request = signedRequest(endpoint, fields, timestamp, settings)
    return { timestamp, request, commit: onDeparture?.({ timestamp, recvWindowMs }) }
  })
  let response: HttpResponse | undefined
  try {
    response = await settings.transport({
      ...request,
      ...(isRevocable(entry) && { signal: entry.signal }),
      ...(commit !== undefined && { beforeSend: () => orKeepBack(commit) }),
    })
    const receivedAt = settings.clock.now()
    settings.requests.add(endpoint.key, response.status)
    const value = readAnswer(endpoint, response, text => settings.credentials?.redact(text) ?? text)
    ticket.settle()
    return { value, sentAt: ticket.sentAt, receivedAt }
  } catch (cause) {
    if (cause instanceof KeptBackError) {
      ticket.giveBack()
      throw cause.cause
    }
    const error = response === undefined ? sendFailure(entry, request.url, cause) : cause
    if (response === undefined && !(error instanceof NotSentError))
      settings.requests.add(endpoint.key, undefined)
    if (error instanceof NotSentError) ticket.giveBack()
    else settleFailed(entry, ticket, error, response, settings)
    if (endpoint.effect === 'read' || !leavesOutcomeUnknown(error)) throw error
    const what = error instanceof ExchangeError ? answerOf(error) : sentenceOf(error)
    throw new UnknownOutcomeError({ endpoint: endpoint.key, what, timestamp, recvWindowMs, cause: error })
  }
}

function prepared<Value>(ticket: Ticket, prepare: () => Value): Value {
  try {
    return prepare()
  } catch (error) {
    ticket.giveBack()
    throw error
  }
}

/**
 * A write was not sent because its commit failed, with `cause`; no transport error, so there is nothing to
 * retry.
 */
class KeptBackError extends Error {
  constructor(cause: unknown) {
    super('The request was kept back.', { cause })
  }
}

function orKeepBack(commit: Commit): void {
  try {
    commit()
  } catch (error) {
    throw new KeptBackError(error)
  }
}

/** Throws `RateLimitedError` if the exchange refused the call because of a rate limit. */
function settleFailed(
  entry: GateCall,
  ticket: Ticket,
  error: unknown,
  response: HttpResponse | undefined,
  { clock, gate, serverClock }: AttemptSettings & { readonly serverClock: Pick<ServerClock, 'now'> },
): void {
  const now = clock.now()
  const ahead = serverClock.now() - now
  const breach = rateLimitBreach(error, response, now + ahead)
  if (breach === undefined) {
    ticket.settle()
    return
  }
  const until = breach.until === undefined ? undefined : breach.until - ahead
  const cause = settleBreach(ticket, { ...breach, until }, error)
  const pausedUntil = gate.pauseOf(entry)?.until ?? now
  const what = `the exchange says that ${BROKEN[breach.kind]}`
  throw new RateLimitedError({ endpoint: entry.endpoint.key, what, until: pausedUntil, cause })
}

const BROKEN: Readonly<Record<RateLimitBreach['kind'], string>> = {
  weight: 'a weight limit is used up (HTTP 429)',
  ban: 'this address is blocked (HTTP 418)',
  endpoint: 'the rate limit of the endpoint is used up (HTTP 410)',
}

/** Returns the refusal, together with the store's error if a ban cannot be stored. */
function settleBreach(ticket: Ticket, breach: RateLimitBreach, refusal: unknown): unknown {
  try {
    ticket.settle(breach)
    return refusal
  } catch (failure) {
    return new AggregateError(
      [refusal, failure],
      'The exchange blocks this address, and the ban could not be saved for a restart.',
    )
  }
}

/** A read can be aborted while it is in flight. */
function isRevocable(call: GateCall): call is GateCall & { readonly signal: AbortSignal } {
  return call.endpoint.effect === 'read' && call.signal !== undefined
}

/** Error of a call that got no answer from the transport; `url` is that of its request. */
function sendFailure(call: GateCall, url: string, cause: unknown): unknown {
  const { key } = call.endpoint
  if (isRevocable(call) && call.signal.aborted) return call.signal.reason
  if (wasNotSent(cause)) return new NotSentError(key, new URL(url).origin, cause)
  if (cause instanceof AnswerTooLongError) {
    const { httpStatus, maxBytes } = cause
    const what = `it is longer than ${maxBytes} bytes.`
    return new MalformedResponseError(key, httpStatus, what, '(left unread)')
  }
  return new NetworkError(key, sentenceOf(cause), cause)
}

/** A refusal that may be none, as a sentence. */
function answerOf({ exchangeCode, exchangeName, httpStatus, reason }: ExchangeError): string {
  const code = [exchangeCode, exchangeName].filter(part => part !== undefined).join(' ')
  return `It answered ${code === '' ? 'no code' : code} (HTTP ${httpStatus}): ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`
}

function sentenceOf(error: unknown): string {
  if (error instanceof NetworkError) return error.reason
  return error instanceof Error ? error.message : String(error)
}

import type { z } from 'zod'
import type { Clock } from '../../domain/clock.ts'
import type { GateCall } from '../budget/call-gate.ts'
import { type Lane, laneOf } from '../budget/lane.ts'
import { RateLimitedError } from '../budget/rate-limited-error.ts'
import type { ServerClock } from '../clock/server-clock.ts'
import { type Endpoint, type RequestFields, weightOf } from '../endpoints/endpoint.ts'
import { ClockUncertainError } from '../errors/clock-uncertain-error.ts'
import { ExchangeError } from '../errors/exchange-error.ts'
import { InvalidCallError } from '../errors/invalid-call-error.ts'
import { assertCallable } from '../http/signed-request.ts'
import type { HostRows } from '../profiles/host-rows.ts'
import { isTransient } from './answer.ts'
import {
  type AttemptSettings,
  attemptCall,
  DEFAULT_RECV_WINDOW_MS,
  type OnDeparture,
} from './call-attempt.ts'
import { checkReach } from './history-reach.ts'
import { parseCompiled } from './parse-compiled.ts'

/** Local options of a call; none of them is sent. */
export interface CallOptions {
  /** Default: the endpoint's lane. */
  readonly lane?: Lane
  /** Cancels a waiting call, and a read in flight; a write in flight is completed. */
  readonly signal?: AbortSignal
  /** Longest time to wait for a turn within the limits, ms; default: the client's. */
  readonly maxWaitMs?: number
  /** Notes a write before it is sent; called at most once, because a write is sent once. */
  readonly onDeparture?: OnDeparture
}

/**
 * Calls one endpoint: checks the parameters, waits for its turn, signs, sends, retries a read, reads the
 * answer.
 */
export type EndpointCall = <Row extends Endpoint>(
  endpoint: Row,
  fields: z.input<Row['request']>,
  options?: CallOptions,
) => Promise<z.output<Row['response']>>

/** Settings that all calls share. */
export interface CallSettings extends AttemptSettings {
  readonly rows: HostRows
  readonly serverClock: ServerClock
  /** Longest wait of a call for its turn within the limits, ms. */
  readonly maxWaitMs: number
  /** From 0 up to 1, for the jitter of pauses. */
  readonly random: () => number
  readonly patience?: Patience | undefined
}

/**
 * Delay before a read that has failed finally is tried again all the same, ms; `undefined`: it is not tried
 * again.
 */
export type Patience = (error: unknown) => number | undefined

/** Attempts of one read, the first included. */
const READ_ATTEMPTS = 3

/** Mean pause before the second attempt of a read, ms; doubled with every further one. */
const FIRST_PAUSE_MS = 250

/** Largest lead of a timestamp over server time, ms (interface section 5.6). */
const MAX_AHEAD_MS = 1000

const INVALID_TIMESTAMP = -1021

/** The call function that all methods of a client use. */
export function endpointCall(settings: CallSettings): EndpointCall {
  return async (documented, fields, options = {}) => {
    const endpoint = settings.rows.of(documented)
    const checked = parseCompiled(endpoint.request, fields)
    if (!checked.success) throw invalidCall(endpoint, checked.error)
    checkReach(endpoint, checked.data, () => settings.serverClock.now())
    assertCallable(endpoint, settings)
    const entry = gateCall(endpoint, checked.data, options, settings)
    const sendable = withWindow(endpoint, checked.data, settings)
    return endpoint.effect === 'write'
      ? callOnce(entry, sendable, settings, options.onDeparture)
      : callRepeatedly(entry, sendable, settings)
  }
}

/**
 * Retries a read on network errors, on HTTP 5xx, and after a rate limit that ends within the longest wait.
 */
async function callRepeatedly<Row extends Endpoint>(
  entry: GateCall & { readonly endpoint: Row },
  fields: RequestFields,
  settings: CallSettings,
): Promise<z.output<Row['response']>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await callOnce(entry, fields, settings)
    } catch (error) {
      if (attempt >= READ_ATTEMPTS || !mayRepeat(error, entry, settings.clock)) {
        const patientMs = settings.patience?.(error)
        if (patientMs === undefined) throw error
        await pause(patientMs, entry, settings)
      } else if (!(error instanceof RateLimitedError))
        await pause(pauseMs(attempt, settings.random), entry, settings)
    }
  }
}

/**
 * Makes one call. If the exchange refuses its timestamp, the clock is measured again, and a read is sent once
 * more.
 */
async function callOnce<Row extends Endpoint>(
  entry: GateCall & { readonly endpoint: Row },
  fields: RequestFields,
  settings: CallSettings,
  onDeparture?: OnDeparture,
): Promise<z.output<Row['response']>> {
  const stamp = (): number => stampOf(entry.endpoint, settings)
  for (let isSecond = false; ; isSecond = true) {
    const startedAt = settings.clock.now()
    try {
      const measuring = prepareClock(entry, settings)
      if (measuring !== undefined) await measuring
      return (await attemptCall(entry, fields, stamp, settings, onDeparture)).value
    } catch (error) {
      if (isSecond || !(await isWorthRestamping(error, entry, startedAt, settings))) throw error
    }
  }
}

/** Measures the clock after a refused timestamp; true if the same call may then succeed. */
async function isWorthRestamping(
  error: unknown,
  { endpoint }: GateCall,
  startedAt: number,
  { serverClock }: CallSettings,
): Promise<boolean> {
  if (!(error instanceof ExchangeError) || error.exchangeCode !== INVALID_TIMESTAMP) return false
  const isFresh = await serverClock.synchronise(startedAt).catch(() => false)
  // The exchange executed nothing, but only the caller may repeat a write: market conditions may have
  // changed.
  return isFresh && endpoint.effect === 'read'
}

/** Makes server time precise enough for a signed call; `undefined` if it is so already. */
function prepareClock(entry: GateCall, settings: CallSettings): Promise<void> | undefined {
  const { endpoint } = entry
  if (endpoint.security === 'NONE') return undefined
  settings.gate.assertOpen(entry)
  const measuring = settings.serverClock.prepare()
  const isGoodEnough = endpoint.effect === 'read' || isSafe(settings.serverClock, settings.recvWindowMs)
  return measuring === undefined && isGoodEnough ? undefined : measured(measuring, endpoint, settings)
}

async function measured(
  measuring: Promise<void> | undefined,
  endpoint: Endpoint,
  { serverClock, recvWindowMs }: CallSettings,
): Promise<void> {
  try {
    await measuring
    if (endpoint.effect === 'write' && !isSafe(serverClock, recvWindowMs)) await serverClock.synchronise()
  } catch (cause) {
    if (endpoint.effect === 'read') throw cause
    throw clockUncertain(endpoint, serverClock, recvWindowMs, cause)
  }
}

/** Timestamp of a request that is sent now, ms UTC of the server. */
function stampOf(endpoint: Endpoint, { serverClock, recvWindowMs }: CallSettings): number {
  if (endpoint.effect === 'write' && !isSafe(serverClock, recvWindowMs)) {
    throw clockUncertain(endpoint, serverClock, recvWindowMs)
  }
  return serverClock.now()
}

/** True if a request stamped now is within the allowed lead and, after the usual delay, not too old. */
function isSafe(serverClock: ServerClock, recvWindowMs = DEFAULT_RECV_WINDOW_MS): boolean {
  const { uncertaintyMs, roundTripMs } = serverClock.state()
  return uncertaintyMs < MAX_AHEAD_MS && uncertaintyMs + roundTripMs / 2 <= recvWindowMs
}

function clockUncertain(
  endpoint: Endpoint,
  serverClock: ServerClock,
  recvWindowMs = DEFAULT_RECV_WINDOW_MS,
  cause?: unknown,
): ClockUncertainError {
  const { uncertaintyMs } = serverClock.state()
  return new ClockUncertainError({ endpoint: endpoint.key, uncertaintyMs, recvWindowMs, cause })
}

function gateCall<Row extends Endpoint>(
  endpoint: Row,
  fields: RequestFields,
  { lane = laneOf(endpoint), signal, maxWaitMs }: CallOptions,
  settings: CallSettings,
): GateCall & { readonly endpoint: Row } {
  return {
    endpoint,
    weight: weightOf(endpoint, fields),
    lane,
    signal,
    maxWaitMs: maxWaitMs ?? settings.maxWaitMs,
  }
}

/** The order tables spell the window `recvwindow`, the general rule (section 5.6) `recvWindow`. */
function withWindow(endpoint: Endpoint, fields: RequestFields, settings: CallSettings): RequestFields {
  if (endpoint.security === 'NONE' || settings.recvWindowMs === undefined) return fields
  const name = 'recvwindow' in endpoint.request.shape ? 'recvwindow' : 'recvWindow'
  return { ...fields, [name]: settings.recvWindowMs }
}

function mayRepeat(error: unknown, { maxWaitMs }: GateCall, clock: Clock): boolean {
  if (!(error instanceof RateLimitedError)) return isTransient(error)
  const turnedAwayByExchange = error.cause !== undefined
  return turnedAwayByExchange && error.until <= clock.now() + maxWaitMs
}

/** ±50% jitter, so that clients do not retry in step. */
function pauseMs(attempt: number, random: () => number): number {
  return Math.round(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + random()))
}

function pause(delayMs: number, { signal }: GateCall, { clock }: CallSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      cancel()
      reject(signal?.reason)
    }
    const cancel = clock.schedule(delayMs, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
  })
}

/** Error for the first broken rule of a call's parameters. */
function invalidCall(endpoint: Endpoint, { issues }: z.ZodError): InvalidCallError {
  const issue = issues[0]
  const parameter = issue?.path.join('.') || 'the request'
  return new InvalidCallError(endpoint.key, parameter, issue?.message ?? 'is not allowed', endpoint.section)
}

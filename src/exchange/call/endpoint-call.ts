import type { z } from 'zod'
import type { Clock } from '../../domain/clock.ts'
import type { GateCall } from '../budget/call-gate.ts'
import { type Lane, laneOf } from '../budget/lane.ts'
import { RateLimitedError } from '../budget/rate-limited-error.ts'
import type { ServerClock } from '../clock/server-clock.ts'
import { type Endpoint, type RequestFields, weightOf } from '../endpoints/endpoint.ts'
import { ClockUncertainError } from '../errors/clock-uncertain-error.ts'
import { ExchangeError } from '../errors/exchange-error.ts'
import { invalidCall } from '../errors/invalid-call-error.ts'
import { assertCallable } from '../http/signed-request.ts'
import { isTransient } from './answer.ts'
import {
  type AttemptSettings,
  attemptCall,
  DEFAULT_RECV_WINDOW_MS,
  type OnDeparture,
} from './call-attempt.ts'
import { checkReach } from './history-reach.ts'
import { parseCompiled } from './parse-compiled.ts'

/** How a call is made; none of it is sent. */
export interface CallOptions {
  /** Default: by the endpoint. */
  readonly lane?: Lane
  /** Takes a call back while it waits, and a read also on its way; a write that is on its way is carried through. */
  readonly signal?: AbortSignal
  /** Longest time to wait for a turn within the limits, ms; default: the client's. */
  readonly maxWaitMs?: number
  /** Notes a write that is about to leave, and is called at most once: a write is sent once. */
  readonly onDeparture?: OnDeparture
}

/** Calls one endpoint: checks the parameters, waits for its turn, signs, sends, retries a read, reads the answer. */
export type EndpointCall = <Row extends Endpoint>(
  endpoint: Row,
  fields: z.input<Row['request']>,
  options?: CallOptions,
) => Promise<z.output<Row['response']>>

/** What every call shares. */
export interface CallSettings extends AttemptSettings {
  readonly serverClock: ServerClock
  /** Longest time that a call waits for its turn within the limits, ms. */
  readonly maxWaitMs: number
  /** From 0 up to 1, for the jitter of pauses. */
  readonly random: () => number
  readonly patience?: Patience | undefined
}

/** After how many ms a read that has failed for good is tried again all the same; `undefined`: not at all. */
export type Patience = (error: unknown) => number | undefined

/** Tries of one read, the first included. */
const READ_ATTEMPTS = 3
/** Middle of the pause before the second try of a read; it doubles with every further one. */
const FIRST_PAUSE_MS = 250
/** How far ahead a timestamp may be (interface section 5.6). */
const MAX_AHEAD_MS = 1000
const INVALID_TIMESTAMP = -1021

/** Makes the function that all of a client's methods call. */
export function endpointCall(settings: CallSettings): EndpointCall {
  return async (endpoint, fields, options = {}) => {
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

/** A read is tried again on network errors, on HTTP 5xx, and when a limit is in the way for no longer than it may wait. */
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

/** One call; where the exchange finds its timestamp wrong, the clock is measured anew, and a read is then sent once more. */
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

/** Sees to a fresh measurement after a refused timestamp; whether the same call may succeed with it. */
async function isWorthRestamping(
  error: unknown,
  { endpoint }: GateCall,
  startedAt: number,
  { serverClock }: CallSettings,
): Promise<boolean> {
  if (!(error instanceof ExchangeError) || error.exchangeCode !== INVALID_TIMESTAMP) return false
  const isFresh = await serverClock.synchronise(startedAt).catch(() => false)
  // It was refused before anything was done, but a write is the caller's to repeat: its moment may have passed.
  return isFresh && endpoint.effect === 'read'
}

/** Sees to a server time that is good enough for a signed call; `undefined` where it is so already. */
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

/** The timestamp of a request that leaves now. */
function stampOf(endpoint: Endpoint, { serverClock, recvWindowMs }: CallSettings): number {
  if (endpoint.effect === 'write' && !isSafe(serverClock, recvWindowMs)) {
    throw clockUncertain(endpoint, serverClock, recvWindowMs)
  }
  return serverClock.now()
}

/** Whether a request stamped now is neither ahead by more than allowed nor too old after the usual way there. */
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

/** Spread over half to one and a half of its length, so that clients that failed together do not return together. */
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

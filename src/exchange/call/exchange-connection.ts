import type { Clock } from '../../domain/clock.ts'
import { SluiceError, UsageError } from '../../domain/sluice-error.ts'
import { type BanStore, memoryBanStore } from '../budget/ban-store.ts'
import { CallGate } from '../budget/call-gate.ts'
import { type CallLimits, callLimits } from '../budget/call-limits.ts'
import { knownServerClock, MeasuredServerClock, type ServerClock } from '../clock/server-clock.ts'
import { createSystemClock } from '../clock/system-clock.ts'
import { originOf } from '../http/base-url.ts'
import { Credentials } from '../http/credentials.ts'
import { type HttpTransportOptions, httpTransport } from '../http/http-transport.ts'
import type { Transport } from '../http/transport.ts'
import { type CallSettings, type EndpointCall, endpointCall, type Patience } from './endpoint-call.ts'
import { sampleTime } from './time-sample.ts'

/** How to reach an exchange. */
export interface ConnectionOptions {
  /** Origin of the spot host; HTTPS, or plain HTTP to a loopback address. */
  readonly spotUrl: string
  /** Origin of the futures host, likewise; without it futures calls are refused. */
  readonly futuresUrl?: string
  /** Needed for signed endpoints; or a key and its secret. */
  readonly credentials?: Credentials
  readonly apiKey?: string
  readonly apiSecret?: string
  /** Default: the clock of the machine. */
  readonly clock?: Clock
  /** How old a signed request may be when it arrives, ms; default: nothing is sent and the exchange takes 1000. */
  readonly recvWindowMs?: number
  /** How long one try of a call may take, ms; default 10,000. */
  readonly timeoutMs?: number
  /** How long a call may wait for its turn within the limits, ms; default 10,000. */
  readonly maxWaitMs?: number
  /** Bounds of the calls; default: the documented ones. */
  readonly limits?: Partial<CallLimits>
  /** Where a ban outlives this client; default: nowhere. */
  readonly banStore?: BanStore
  /** Limits of the HTTP connections, or an undici dispatcher of your own. */
  readonly http?: HttpTransportOptions
  /** Default: HTTP with kept-alive connections, by `http`. */
  readonly transport?: Transport
  /** Server time minus the clock's time, ms, where that is known for certain; default: it is measured. */
  readonly timeOffset?: () => number
  /** From 0 up to 1, for the jitter between tries; default: `Math.random`. */
  readonly random?: () => number
  /** Default: no read that has failed for good is tried again. */
  readonly patience?: Patience | undefined
}

/** One way of calling an exchange, with everything that its calls share. */
export interface ExchangeConnection {
  readonly call: EndpointCall
  readonly serverClock: ServerClock
  readonly gate: CallGate
  /** Turns away what waits, and ends the connections that were opened here. */
  close(): Promise<void>
}

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_MAX_WAIT_MS = 10_000

/** Throws `UsageError` for an option that cannot be used. Nothing is sent yet. */
export function exchangeConnection(options: ConnectionOptions): ExchangeConnection {
  const { clock = createSystemClock(), recvWindowMs, futuresUrl, banStore = memoryBanStore() } = options
  if (recvWindowMs !== undefined && !(Number.isSafeInteger(recvWindowMs) && recvWindowMs > 0)) {
    throw new UsageError(`recvWindowMs is ${recvWindowMs}, but it must be a whole number of ms above 0.`)
  }
  const gate = new CallGate({ clock, limits: callLimits(options.limits), banStore })
  const origins = {
    spot: originOf(options.spotUrl),
    ...(futuresUrl !== undefined && { futures: originOf(futuresUrl) }),
  }
  const { send, close } =
    options.transport === undefined
      ? httpTransport(options.http)
      : { send: options.transport, close: async () => {} }
  const settings = {
    origins,
    credentials: credentialsOf(options),
    clock,
    transport: send,
    gate,
    recvWindowMs,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxWaitMs: options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS,
    random: options.random ?? Math.random,
    patience: options.patience,
  }
  const serverClock = serverClockOf(options.timeOffset, settings)
  return {
    call: endpointCall({ ...settings, serverClock }),
    serverClock,
    gate,
    close: async () => {
      gate.close(clientClosed())
      await close()
    },
  }
}

function serverClockOf(
  timeOffset: (() => number) | undefined,
  settings: Omit<CallSettings, 'serverClock'>,
): ServerClock {
  const { clock } = settings
  if (timeOffset !== undefined) return knownServerClock(clock, timeOffset)
  const serverClock: ServerClock = new MeasuredServerClock({
    clock,
    sample: async () => {
      for (;;) {
        try {
          return await sampleTime({ ...settings, serverClock })
        } catch (error) {
          const pauseMs = settings.patience?.(error)
          if (pauseMs === undefined) throw error
          await new Promise<void>(resolve => clock.schedule(pauseMs, resolve))
        }
      }
    },
  })
  return serverClock
}

function credentialsOf({ credentials, apiKey, apiSecret }: ConnectionOptions): Credentials | undefined {
  if (credentials !== undefined) return credentials
  if (apiKey === undefined && apiSecret === undefined) return undefined
  if (apiKey === undefined || apiSecret === undefined) {
    throw new UsageError('The API key and the API secret belong together; give both or neither.')
  }
  return new Credentials(apiKey, apiSecret)
}

function clientClosed(): SluiceError {
  return new SluiceError('The call was not sent, because its client was closed.', {
    code: 'CLIENT_CLOSED',
    reaction: 'exit',
  })
}

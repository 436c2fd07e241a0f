import type { Clock } from '../../domain/clock.ts'
import { SluiceError, UsageError } from '../../domain/sluice-error.ts'
import { type BlockStore, memoryBlockStore } from '../budget/block-store.ts'
import { CallGate } from '../budget/call-gate.ts'
import { type CallLimits, callLimits } from '../budget/call-limits.ts'
import { knownServerClock, MeasuredServerClock, type ServerClock } from '../clock/server-clock.ts'
import { createSystemClock } from '../clock/system-clock.ts'
import type { Host } from '../endpoints/endpoint.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { baseUrlOf } from '../http/base-url.ts'
import { Credentials } from '../http/credentials.ts'
import { type HttpTransportOptions, httpTransport } from '../http/http-transport.ts'
import type { Transport } from '../http/transport.ts'
import { DOCUMENT_PROFILE } from '../profiles/document-profile.ts'
import type { ExchangeProfile } from '../profiles/exchange-profile.ts'
import { type Bases, HostRows, urlsBeforePath } from '../profiles/host-rows.ts'
import { type CallSettings, type EndpointCall, endpointCall, type Patience } from './endpoint-call.ts'
import { RequestCounts } from './request-counts.ts'
import { TimeSource } from './time-source.ts'

/** Address, credentials and limits of a connection. */
export interface ConnectionOptions {
  /** Differences of the exchange from the interface document; default: none. */
  readonly profile?: ExchangeProfile
  /**
   * Base URL of the spot host: HTTPS, or plain HTTP to a loopback address; with a prefix of all paths if the host
   * has one. Default: that of the profile; without either, spot calls are refused.
   */
  readonly spotUrl?: string
  /** Base URL of the futures host, under the same rules. */
  readonly futuresUrl?: string
  /** The host whose time counts, unless it has no clock; default: the spot host, if there is one. */
  readonly clockHost?: Host
  /** Needed for signed endpoints; alternatively `apiKey` and `apiSecret`. */
  readonly credentials?: Credentials
  readonly apiKey?: string
  readonly apiSecret?: string
  /** Default: the clock of the machine. */
  readonly clock?: Clock
  /**
   * Largest age of a signed request at its arrival, ms; by default not sent, and the exchange applies 1000.
   */
  readonly recvWindowMs?: number
  /** Timeout of one attempt of a call, ms; default 10,000. */
  readonly timeoutMs?: number
  /** Longest wait of a call for its turn within the limits, ms; default 10,000. */
  readonly maxWaitMs?: number
  /** Limits of the calls; default: the documented ones. */
  readonly limits?: Partial<CallLimits>
  /** Storage of a ban beyond this client; default: none. */
  readonly blockStore?: BlockStore
  /** Limits of the HTTP connections, or your own undici dispatcher. */
  readonly http?: HttpTransportOptions
  /** Default: HTTP with keep-alive connections, configured by `http`. */
  readonly transport?: Transport
  /** Server time minus the clock's time, ms, if it is known exactly; default: it is measured. */
  readonly timeOffset?: () => number
  /** From 0 up to 1, for the jitter between attempts; default: `Math.random`. */
  readonly random?: () => number
  /** Default: a read that has failed finally is not tried again. */
  readonly patience?: Patience | undefined
}

/** A way of calling an exchange, with the state that its calls share. */
export interface ExchangeConnection {
  readonly call: EndpointCall
  readonly serverClock: ServerClock
  readonly gate: CallGate
  readonly requests: RequestCounts
  /** Rejects waiting calls, and closes the connections opened here. */
  close(): Promise<void>
}

const DEFAULT_TIMEOUT_MS = 10_000
const DEFAULT_MAX_WAIT_MS = 10_000

/** Throws `UsageError` for an unusable option. Sends nothing yet. */
export function exchangeConnection(options: ConnectionOptions): ExchangeConnection {
  const { clock = createSystemClock(), recvWindowMs, blockStore = memoryBlockStore() } = options
  const { profile = DOCUMENT_PROFILE } = options
  if (recvWindowMs !== undefined && !(Number.isSafeInteger(recvWindowMs) && recvWindowMs > 0)) {
    throw new UsageError(`recvWindowMs is ${recvWindowMs}, but it must be a whole number of ms above 0.`)
  }
  const gate = new CallGate({ clock, limits: callLimits(options.limits), blockStore })
  const bases = basesOf(profile, options)
  const rows = new HostRows(profile, bases)
  const { send, close } =
    options.transport === undefined
      ? httpTransport(options.http)
      : { send: options.transport, close: async () => {} }
  const settings = {
    baseUrls: urlsBeforePath(profile, bases),
    rows,
    credentials: credentialsOf(options),
    clock,
    transport: send,
    gate,
    requests: new RequestCounts(),
    recvWindowMs,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxWaitMs: options.maxWaitMs ?? DEFAULT_MAX_WAIT_MS,
    random: options.random ?? Math.random,
    patience: options.patience,
  }
  const serverClock = serverClockOf(options.timeOffset, settings, options.clockHost)
  return {
    call: endpointCall({ ...settings, serverClock }),
    serverClock,
    gate,
    requests: settings.requests,
    close: async () => {
      gate.close(clientClosed())
      await close()
    },
  }
}

function serverClockOf(
  timeOffset: (() => number) | undefined,
  settings: Omit<CallSettings, 'serverClock'>,
  clockHost: Host = 'spot',
): ServerClock {
  const { clock, rows } = settings
  if (timeOffset !== undefined) return knownServerClock(clock, timeOffset)
  const { spotTime, futuresTime } = ENDPOINTS
  const times = clockHost === 'spot' ? [spotTime, futuresTime] : [futuresTime, spotTime]
  const source = new TimeSource(times.filter(row => rows.has(row)).map(row => rows.of(row)))
  const serverClock: ServerClock = new MeasuredServerClock({
    clock,
    sample: async () => {
      for (;;) {
        try {
          return await source.sample({ ...settings, serverClock })
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

function basesOf(profile: ExchangeProfile, { spotUrl, futuresUrl }: ConnectionOptions): Bases {
  const [spot, futures] = [spotUrl ?? profile.spot.url, futuresUrl ?? profile.futures.url]
  if (spot === undefined && futures === undefined)
    throw new UsageError(
      'The client needs the URL of a spot host or of a futures host; give spotUrl or futuresUrl.',
    )
  return {
    ...(spot !== undefined && { spot: baseUrlOf(spot) }),
    ...(futures !== undefined && { futures: baseUrlOf(futures) }),
  }
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

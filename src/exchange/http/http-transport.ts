import { type Dispatcher, Pool } from 'undici'
import { originOf } from './base-url.ts'
import { HttpExchange } from './http-exchange.ts'
import type { Transport } from './transport.ts'

/** Limits of the HTTP connections; each has a default. */
export interface HttpTransportOptions {
  /**
   * Connections per origin, default 64; with fewer than calls in flight, calls queue here regardless of
   * urgency.
   */
  readonly connections?: number
  /** ms; default 5000. */
  readonly connectTimeoutMs?: number
  /**
   * Longest silence before or within an answer, ms; default 30,000; the timeout of each call applies as well.
   */
  readonly silenceTimeoutMs?: number
  /** Longest accepted answer, bytes; default 16 MB. */
  readonly maxBodyBytes?: number
  /**
   * Replaces the built-in connection pools, such as an undici `ProxyAgent`, or an `Agent` with other TLS
   * settings. It must send a request at most once; it controls its own connections and connect timeout, and
   * the caller closes it.
   */
  readonly dispatcher?: Dispatcher
}

/** A transport that keeps connections until it is closed. */
export interface HttpTransport {
  readonly send: Transport
  /** Closes all connections; requests in flight fail. */
  close(): Promise<void>
}

const DEFAULT_CONNECTIONS = 64
const DEFAULT_CONNECT_TIMEOUT_MS = 5000
const DEFAULT_SILENCE_TIMEOUT_MS = 30_000
const DEFAULT_MAX_BODY_BYTES = 16 * 1024 * 1024
/**
 * Idle time of a connection, ms: shorter than servers usually keep one, so that we close it first; longer
 * than the pause between tickers, so that orders find one open.
 */
const KEPT_IDLE_MS = 15_000

/**
 * HTTP/1.1 over keep-alive connections, one pool per origin; HTTPS, or plain HTTP to a loopback address.
 * Nothing is sent twice, no redirect is followed. undici writes to an idle connection one turn of the event
 * loop later, after it has seen that the connection is still open and silent; by then all answers that have
 * arrived are read.
 */
export function httpTransport(options: HttpTransportOptions = {}): HttpTransport {
  const {
    connectTimeoutMs = DEFAULT_CONNECT_TIMEOUT_MS,
    silenceTimeoutMs = DEFAULT_SILENCE_TIMEOUT_MS,
    maxBodyBytes = DEFAULT_MAX_BODY_BYTES,
    connections = DEFAULT_CONNECTIONS,
    dispatcher,
  } = options
  const bounds = { connectTimeoutMs, silenceTimeoutMs, maxBodyBytes }
  const silence = { headersTimeout: silenceTimeoutMs, bodyTimeout: silenceTimeoutMs }
  const kept = { keepAliveTimeout: KEPT_IDLE_MS, keepAliveMaxTimeout: KEPT_IDLE_MS }
  const pools = new Map<string, Pool>()
  const underWay = new Set<HttpExchange>()
  const poolOf = (origin: string): Pool => {
    const settings = { ...kept, connections, connectTimeout: connectTimeoutMs, pipelining: 1, allowH2: false }
    const pool = pools.get(origin) ?? new Pool(originOf(origin), settings)
    pools.set(origin, pool)
    return pool
  }
  return {
    send: async request => {
      const { origin, path } = partsOf(request.url)
      const { method, headers, body } = request
      const exchange = new HttpExchange(request, bounds)
      underWay.add(exchange)
      try {
        const sent = { origin, path, method, headers, body, ...silence }
        dispatchSoon(dispatcher ?? poolOf(origin), sent, exchange)
        return await exchange.answer
      } finally {
        underWay.delete(exchange)
      }
    },
    close: async () => {
      for (const exchange of underWay) exchange.giveUp('The client was closed.')
      await Promise.all([...pools.values()].map(pool => pool.destroy()))
    },
  }
}

/** A connection is free one turn after its answer; waiting for that turn is faster than a new connection. */
function dispatchSoon(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  exchange: HttpExchange,
): void {
  if (dispatcher instanceof Pool && dispatcher.stats.free > 0) dispatcher.dispatch(request, exchange)
  else setImmediate(() => dispatcher.dispatch(request, exchange))
}

/** Path and query exactly as written, because the signature covers them. */
function partsOf(url: string): { readonly origin: string; readonly path: string } {
  const at = url.indexOf('/', url.indexOf('//') + 2)
  return { origin: url.slice(0, at), path: url.slice(at) }
}

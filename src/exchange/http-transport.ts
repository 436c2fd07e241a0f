import http, { type ClientRequest, type RequestOptions } from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { originOf } from './base-url.ts'
import { HttpExchange } from './http-exchange.ts'
import { OneATurn } from './one-a-turn.ts'
import type { HttpRequest, Transport } from './transport.ts'

/** Bounds of the HTTP connections; every one has a default. */
export interface HttpTransportOptions {
  /** Connections kept per host, default 64; fewer than the calls that may be under way make calls queue here, regardless of urgency. */
  readonly connections?: number
  /** Default 5000. */
  readonly connectTimeoutMs?: number
  /** Longest silence before or within an answer, default 30,000; a call's own timeout holds besides. */
  readonly silenceTimeoutMs?: number
  /** Longest answer taken, bytes; default 16 MB. */
  readonly maxBodyBytes?: number
  /** Connects in place of connections of our own, such as by way of a proxy (the first bound is then its own affair); it is not closed here. */
  readonly agent?: http.Agent
}

/** A transport that holds connections until it is closed. */
export interface HttpTransport {
  readonly send: Transport
  /** Ends all connections; requests under way fail. */
  close(): Promise<void>
}

const DEFAULT_CONNECTIONS = 64
const DEFAULT_CONNECT_TIMEOUT_MS = 5000
const DEFAULT_SILENCE_TIMEOUT_MS = 30_000
const DEFAULT_MAX_BODY_BYTES = 16 * 1024 * 1024
/** Below what servers usually take, so that it is we who close; above the pause between tickers, so that orders find a connection. */
const KEPT_IDLE_MS = 15_000

/**
 * HTTP/1.1 over kept-alive connections, a pool for each origin; HTTPS, or plain HTTP to a loopback address. Nothing is ever
 * sent twice. A request for which a connection is idle is with the operating system before the next answer is read, and of
 * the answers that need not come first only one is handed over in a turn of the event loop.
 */
export function httpTransport(options: HttpTransportOptions = {}): HttpTransport {
  const {
    connectTimeoutMs = DEFAULT_CONNECT_TIMEOUT_MS,
    silenceTimeoutMs = DEFAULT_SILENCE_TIMEOUT_MS,
    maxBodyBytes = DEFAULT_MAX_BODY_BYTES,
  } = options
  const bounds = { connectTimeoutMs, silenceTimeoutMs, maxBodyBytes }
  const hosts = new Map<string, Host>()
  const underWay = new Set<HttpExchange>()
  const turns = new OneATurn()
  const hostOf = (origin: string): Host => {
    const host = hosts.get(origin) ?? hostAt(originOf(origin), silenceTimeoutMs, options)
    hosts.set(origin, host)
    return host
  }
  return {
    send: async request => {
      const { origin, path } = partsOf(request.url)
      const exchange = new HttpExchange(hostOf(origin).open(request, path), request, bounds, turns)
      underWay.add(exchange)
      try {
        return await exchange.answer
      } finally {
        underWay.delete(exchange)
      }
    },
    close: async () => {
      for (const exchange of underWay) exchange.giveUp('The client was closed.')
      if (options.agent === undefined) for (const { agent } of hosts.values()) agent.destroy()
    },
  }
}

/** Path and query exactly as written, because they are signed so. */
function partsOf(url: string): { readonly origin: string; readonly path: string } {
  const at = url.indexOf('/', url.indexOf('//') + 2)
  return { origin: url.slice(0, at), path: url.slice(at) }
}

/** Where requests to one origin go. */
interface Host {
  readonly agent: http.Agent
  open(request: HttpRequest, path: string): ClientRequest
}

function hostAt(origin: string, timeout: number, options: HttpTransportOptions): Host {
  const { hostname, port, protocol } = urlToHttpOptions(new URL(origin))
  const { connections: maxSockets = DEFAULT_CONNECTIONS } = options
  const kind = protocol === 'https:' ? https : http
  const kept = { keepAlive: true, maxSockets, timeout: KEPT_IDLE_MS }
  const agent = options.agent ?? new kind.Agent(kept)
  const fixed: RequestOptions = { hostname, port, agent, timeout }
  return {
    agent,
    open: ({ method, headers }, path) => kind.request({ ...fixed, method, path, headers }),
  }
}

import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { WebConfig } from '../../config/web-field.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { Probes } from '../probes.ts'
import { StudyReader } from '../research/study-reader.ts'
import type { WindowSource } from '../window-source.ts'
import { addBotRoutes } from './bot-routes.ts'
import { EventStreams, type StreamCounts, type StreamLimits } from './event-streams.ts'
import { LoginLimits } from './login-limits.ts'
import { LoginLinks } from './login-links.ts'
import { addLoginRoutes, refuse } from './login-routes.ts'
import { type PageFile, pageFiles } from './page-files.ts'
import { addProbeRoutes, isSame } from './probe-routes.ts'
import { RequestBudget } from './request-budget.ts'
import { foreignRequest } from './request-guard.ts'
import { SECURITY_HEADERS, TRANSPORT_SECURITY } from './security-headers.ts'
import { Sessions, type WindowRole, type WindowSession } from './sessions.ts'
import { addStudyRoutes } from './study-routes.ts'

/** Largest body of a request, bytes. */
const BODY_LIMIT = 4096
/** Connections at once. */
const MOST_CONNECTIONS = 100
/** Longest time that a request may take to arrive, ms. */
const REQUEST_MS = 5000
/** Default of `silenceMs`: longer than the wait for what a command closes, and than the signs of life of a stream. */
const SILENCE_MS = 15_000
/** Header of POSTs that shows that the page of this session sent them. */
const CSRF_HEADER = 'x-sluice-csrf'

/** Settings of a window's server. */
export interface WebServerOptions extends WebConfig {
  /** Takes errors that are no fault of the request. */
  readonly onError: (error: unknown) => void
  /** A clock in ms that never goes back; default: that of the process. */
  readonly now?: () => number
  readonly streams?: StreamLimits
  /** Token by which other machines read metrics and health; see `ProbeAccess`. */
  readonly metricsToken?: string | undefined
  /** True for a bot, which has metrics; a journal has none. */
  readonly hasProbes?: boolean
  /** Path of the study file of the project; without one, none is read. */
  readonly studyPath?: string | undefined
  /** Longest time for which a connection may be silent, or leave its messages unread, ms; default: 15,000. */
  readonly silenceMs?: number
}

/** The server of a window. */
export interface WebServer {
  /** The address that browsers open. */
  readonly url: string
  /** A new address that logs in once, within a minute. */
  loginUrl(role: WindowRole): string
  /** Shows bots from now on, at least one; before, the answer is that it is starting. */
  serve(...sources: readonly WindowSource[]): void
  /** Answers programs that watch the bot from now on. */
  answerProbes(probes: Probes): void
  readonly streams: StreamCounts
  close(): Promise<void>
}

/** Serves the page of a bot; rejects with `UsageError` where it cannot listen, or its TLS files cannot be read. */
export async function startWebServer(options: WebServerOptions): Promise<WebServer> {
  const { host, port, passwords, now = () => performance.now() } = options
  let sources: readonly WindowSource[] = []
  let probes: Probes | undefined
  const place: Place = { origins: new Map(), cookie: '' }
  const sessions = new Sessions(now)
  const links = new LoginLinks(now)
  const streams = new EventStreams(() => sumOf(sources), now, options.streams)
  const sessionOf = ({ headers }: FastifyRequest) => sessions.find(cookieIn(headers.cookie, place.cookie))
  const requiredSession = (request: FastifyRequest) => sessionOf(request) as WindowSession // `protect` lets none pass without
  const studies = new StudyReader(options.studyPath)
  const server = bareServer(options)
  protect(server, options, { place, sessionOf, budget: new RequestBudget(now) })
  addPage(server, pageFiles())
  if (options.hasProbes) addProbeRoutes(server, () => probes, options)
  addLoginRoutes(server, {
    ...{ passwords, sessions, links, sessionOf, limits: new LoginLimits(now) },
    isView: () => sources.length > 0 && sources.every(({ isLive }) => !isLive),
    cookieOf: value =>
      `${place.cookie}=${value}; Path=/; HttpOnly; SameSite=Strict${isSecure(options) ? '; Secure' : ''}`,
  })
  addBotRoutes(server, { sources: () => sources, sessionOf: requiredSession })
  addStudyRoutes(server, studies)
  server.get('/api/events', (request, reply) => {
    const { id } = requiredSession(request)
    if (!streams.admit()) {
      reply.send(refuse(reply, 429, 'Too many windows of this bot are open.'))
      return
    }
    reply.hijack()
    streams.open(reply.raw, headersOf(options), () => sessions.has(id))
  })
  const bound = await listen(server, host, port)
  const own = ownOrigins(options, bound)
  for (const origin of own) place.origins.set(new URL(origin).host, origin)
  place.cookie = `sluice-${bound}`
  return {
    url: own[0] ?? '',
    loginUrl: role => `${own[0]}/#login=${links.make(role)}`,
    serve: (...given) => {
      sources = given
    },
    answerProbes: given => {
      probes = given
    },
    get streams() {
      return streams.counts
    },
    close: async () => {
      streams.close()
      await studies.close()
      await server.close()
    },
  }
}

/** Grows with everything that happens to any bot. */
function sumOf(sources: readonly WindowSource[]): number {
  return sources.reduce((sum, source) => sum + source.version(), 0)
}

/** Address of a server, known once it listens. */
interface Place {
  /** Its origins by their Host header. */
  readonly origins: Map<string, string>
  /** Name of its cookie: cookies of one host are shared by all its ports. */
  cookie: string
}

function bareServer({
  tls,
  behindProxy,
  onError,
  silenceMs = SILENCE_MS,
}: WebServerOptions): FastifyInstance {
  const server = Fastify({
    bodyLimit: BODY_LIMIT,
    forceCloseConnections: true,
    // The proxy is the first hop: what it adds about the browser counts, what the browser claims does not.
    trustProxy: (_address, hop) => behindProxy && hop === 0,
    serverFactory: handler => {
      const limits = {
        headersTimeout: REQUEST_MS,
        requestTimeout: REQUEST_MS,
        keepAliveTimeout: REQUEST_MS,
        connectionsCheckingInterval: 1000,
        maxHeaderSize: 16_384,
      }
      const plain =
        tls === undefined
          ? createHttpServer(limits, handler)
          : createHttpsServer({ ...limits, cert: pem('cert', tls.cert), key: pem('key', tls.key) }, handler)
      return plain.setTimeout(silenceMs)
    },
  })
  server.server.maxConnections = MOST_CONNECTIONS
  server.removeContentTypeParser('text/plain')
  server.setErrorHandler((error: FastifyError, _request, reply) => {
    const status = error.statusCode ?? 500
    if (status < 500)
      return reply.send(refuse(reply, status, `This request cannot be read: ${error.message}`))
    onError(error)
    return reply.send(refuse(reply, 500, 'The window failed at this; the bot goes on.'))
  })
  server.setNotFoundHandler((_request, reply) => reply.send(refuse(reply, 404, 'There is nothing here.')))
  return server
}

function pem(key: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(
      `The file of web.tls.${key} cannot be read (${reason}); give the path of a PEM file.`,
      cause,
    )
  }
}

interface Protection {
  readonly place: Place
  readonly sessionOf: (request: FastifyRequest) => WindowSession | undefined
  readonly budget: RequestBudget
}

/** Checks that come before every route. */
function protect(
  server: FastifyInstance,
  options: WebServerOptions,
  { place, sessionOf, budget }: Protection,
): void {
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(options))
    const foreign = foreignRequest(request, place.origins)
    if (foreign !== undefined) return reply.send(refuse(reply, foreign.status, foreign.error))
    if (!request.url.startsWith('/api/') || request.url === '/api/login') return undefined
    const session = sessionOf(request)
    if (session === undefined) return reply.send(refuse(reply, 401, 'Nobody is logged in here.'))
    if (request.method === 'POST' && !isSame(String(request.headers[CSRF_HEADER]), session.csrf))
      return reply.send(refuse(reply, 403, `The header ${CSRF_HEADER} is missing, or of another session.`))
    if (!budget.take(session.id)) return reply.send(refuse(reply, 429, 'This browser asks too often.'))
    return undefined
  })
}

function headersOf(options: WebServerOptions): Readonly<Record<string, string>> {
  return isSecure(options) ? { ...SECURITY_HEADERS, ...TRANSPORT_SECURITY } : SECURITY_HEADERS
}

/** True if browsers reach it over HTTPS. */
function isSecure({ tls, origin }: WebServerOptions): boolean {
  return origin === undefined ? tls !== undefined : origin.startsWith('https:')
}

function addPage(server: FastifyInstance, files: ReadonlyMap<string, PageFile>): void {
  for (const [path, { type, plain, gzipped }] of files) {
    server.get(path, (request, reply) => {
      reply.type(type)
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(plain)
      return reply.header('content-encoding', 'gzip').send(gzipped)
    })
  }
}

async function listen(server: FastifyInstance, host: string, port: number): Promise<number> {
  try {
    await server.listen({ host, port })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(
      `The window cannot be opened on ${host} at port ${port} (${reason}); give another one in web.port, or 0 for any free one.`,
      cause,
    )
  }
  const address = server.server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** The origins under which browsers may open a window, that which is printed first. */
function ownOrigins({ origin, tls, host }: WebServerOptions, port: number): readonly string[] {
  if (origin !== undefined) return [origin]
  const names = [host.includes(':') ? `[${host}]` : host, '127.0.0.1', 'localhost', '[::1]']
  return names.map(name => new URL(`http${tls === undefined ? '' : 's'}://${name}:${port}`).origin)
}

/** The value of a cookie; empty without one. */
function cookieIn(header: string | undefined, name: string): string {
  const found = header?.split(';').find(part => part.trimStart().startsWith(`${name}=`))
  return found === undefined ? '' : found.slice(found.indexOf('=') + 1).trim()
}

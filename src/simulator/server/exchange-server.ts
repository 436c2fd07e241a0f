import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Clock } from '../../domain/clock.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import { adminAccessProblem } from '../admin/admin-access.ts'
import { AdminApi } from '../admin/admin-api.ts'
import type { ExchangeHost } from '../protocol/exchange-host.ts'
import type { ExchangeResponse } from '../protocol/exchange-response.ts'
import { writeAnswer } from '../protocol/http-answer.ts'
import type { ExchangeRequest } from '../protocol/request-authentication.ts'
import type { SimulatedExchange } from '../simulated-exchange.ts'
import { Carrier } from './carrier.ts'

export interface ExchangeServerOptions {
  readonly exchange: SimulatedExchange
  /** The exchange's time. */
  readonly clock: Clock
  /** Default: 127.0.0.1. */
  readonly host?: string
  /** Default: 0, any free port. */
  readonly port?: number
  /** A port for the futures host alone, 0 for any free one; without it, one port is both hosts. */
  readonly futuresPort?: number | undefined
  /** Serve a host that others can reach too. Default: false, because the keys are public knowledge. */
  readonly allowRemote?: boolean
  /** Serve the admin side under /sim to this machine. Default: true. */
  readonly admin?: boolean
  /** Answers a request in place of the exchange; `undefined` leaves it to the exchange. */
  readonly elsewhere?: ((request: ExchangeRequest) => Promise<ExchangeResponse> | undefined) | undefined
  /** Moves the clock on to a time, ms UTC, for a clock that does not run by itself. */
  readonly moveClock?: (to: number) => Promise<void>
  /** Called with the URL of the server of the spot host once it listens. */
  readonly onListening?: (url: string) => void
}

/** A server that listens. */
export interface ExchangeServer {
  /** URL of the server of the spot host, without a slash at the end; the admin side is there. */
  readonly url: string
  /** Base URL of the spot host, with the prefix that the exchange's dialect has. */
  readonly spotUrl: string
  /** Base URL of the futures host, with its prefix. */
  readonly futuresUrl: string
  /** Stops listening and ends open connections. */
  close(): Promise<void>
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])
/** The market is moved no more often than this, in ms of the clock; a request moves it anyway. */
const LEAST_WAIT = 250

/**
 * Serves an exchange over HTTP; rejects with `UsageError` for a host that is not loopback unless `allowRemote`, and if a port
 * is taken. With `futuresPort`, each host answers its own paths only.
 */
export async function startExchangeServer(options: ExchangeServerOptions): Promise<ExchangeServer> {
  checkAddress(options)
  const { exchange, clock, futuresPort, onListening } = options
  const carrier = new Carrier(exchange, clock)
  const market = new MarketTimer(exchange, clock)
  const { elsewhere } = options
  const app = createApp(carrier, futuresPort === undefined ? undefined : 'spot', elsewhere)
  if (options.admin ?? true) serveAdmin(app, options, () => market.look())
  const apps = [app]
  const close = async () => {
    market.stop()
    carrier.stop()
    await Promise.all(apps.map(one => one.close()))
  }
  const url = await listen(app, options, options.port)
  let futuresUrl = url
  if (futuresPort !== undefined) {
    const futures = createApp(carrier, 'futures', elsewhere)
    apps.push(futures)
    futuresUrl = await listen(futures, options, futuresPort).catch(async error => {
      await close()
      throw error
    })
  }
  market.look()
  onListening?.(url)
  const { prefixes = { spot: '', futures: '' } } = exchange.dialect
  return { url, spotUrl: `${url}${prefixes.spot}`, futuresUrl: `${futuresUrl}${prefixes.futures}`, close }
}

function checkAddress({ host, port, futuresPort, allowRemote = false }: ExchangeServerOptions): void {
  if (!allowRemote && host !== undefined && !LOOPBACK.has(host)) {
    throw new UsageError(
      `The simulated exchange serves this machine only: use 127.0.0.1 instead of "${host}".`,
    )
  }
  if (futuresPort === port && futuresPort !== undefined && futuresPort !== 0) {
    throw new UsageError(
      `The futures host needs a port of its own, but both are ${futuresPort}; leave its port out to serve both hosts on one.`,
    )
  }
}

/** Answers for one host, or for both. */
function createApp(
  carrier: Carrier,
  host: ExchangeHost | undefined,
  elsewhere: ExchangeServerOptions['elsewhere'],
): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, exposeHeadRoutes: false })
  // The document lists the parameter of one GET as a body (interface section 4.6).
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.all('/*', (request, reply) => {
    const asked = exchangeRequestOf(request)
    const answered = elsewhere?.(asked)
    const write = (response: ExchangeResponse) => writeAnswer(response, reply.raw)
    if (answered !== undefined) void answered.then(write)
    else carrier.carry({ ...asked, ...(host && { host }) }, write)
    // Only now, so that errors of the exchange still reach the error handler.
    reply.hijack()
  })
  app.setErrorHandler((error, _request, reply) => {
    const msg = error instanceof Error ? error.message : String(error)
    return reply
      .code(500)
      .header('content-type', 'application/json')
      .send(JSON.stringify({ code: -1001, msg }))
  })
  return app
}

/** Bytes of a body under /sim. */
const LARGEST_ADMIN_BODY = 1024 ** 2
/** A snapshot of an exchange that has been busy is long. */
const LARGEST_SNAPSHOT = 256 * 1024 ** 2

/** Routes under /sim, for programs on this machine only; `onChange` is called after a possible change. */
function serveAdmin(app: FastifyInstance, options: ExchangeServerOptions, onChange: () => void): void {
  const api = new AdminApi(options)
  const refuseStrangers = async ({ socket, headers }: FastifyRequest, reply: FastifyReply) => {
    const msg = adminAccessProblem({ address: socket.remoteAddress, headers })
    if (msg !== undefined) await reply.code(403).send({ code: 'USAGE', msg })
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { method, target, body } = exchangeRequestOf(request)
    const { status, body: text } = await api.answer(method, target, body)
    onChange()
    return reply.code(status).header('content-type', 'application/json').send(text)
  }
  const serve = (path: string, bodyLimit: number) => {
    const errorHandler = (error: FastifyError, _request: FastifyRequest, reply: FastifyReply) => {
      if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error
      const msg = `The body must not be longer than ${bodyLimit} bytes.`
      return reply.code(413).send({ code: 'USAGE', msg })
    }
    app.all(path, { bodyLimit, onRequest: refuseStrangers, errorHandler }, answer)
  }
  serve('/sim/*', LARGEST_ADMIN_BODY)
  serve('/sim/restore', LARGEST_SNAPSHOT)
}

/** The raw target and the raw body, because signatures cover the bytes as sent. */
function exchangeRequestOf({ method, raw, ip, headers, body }: FastifyRequest): ExchangeRequest {
  return {
    method,
    ip,
    target: raw.url ?? '/',
    // Only `set-cookie`, which requests do not have, is a list.
    headers: headers as ExchangeRequest['headers'],
    body: typeof body === 'string' ? body : '',
  }
}

async function listen(
  app: FastifyInstance,
  { host = '127.0.0.1' }: ExchangeServerOptions,
  port = 0,
): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (cause) {
    throw new UsageError(`The simulated exchange cannot listen on ${host}:${port}; is the port taken?`, cause)
  }
}

/** Moves the market whenever a print is due. */
class MarketTimer {
  readonly #exchange: SimulatedExchange
  readonly #clock: Clock
  #cancel: () => void = () => undefined

  constructor(exchange: SimulatedExchange, clock: Clock) {
    this.#exchange = exchange
    this.#clock = clock
  }

  /** Moves the market to now, and again when its next print is due. */
  look(): void {
    this.#cancel()
    const [exchange, clock] = [this.#exchange, this.#clock]
    exchange.advance(clock.now())
    if (exchange.nextPrintAt === undefined) return
    this.#cancel = clock.schedule(Math.max(LEAST_WAIT, exchange.nextPrintAt - clock.now()), () => this.look())
  }

  /** Cancels the scheduled advance of the market. */
  stop(): void {
    this.#cancel()
  }
}

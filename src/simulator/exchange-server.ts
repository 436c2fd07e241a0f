import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Clock } from '../domain/clock.ts'
import { UsageError } from '../domain/sluice-error.ts'
import { AdminDesk } from './admin/admin-desk.ts'
import { isLoopback } from './admin/loopback.ts'
import { Carrier } from './carrier.ts'
import { writeAnswer } from './http-answer.ts'
import type { ExchangeRequest } from './request-authentication.ts'
import type { SimulatedExchange } from './simulated-exchange.ts'

/** What a server of the simulated exchange needs. */
export interface ExchangeServerOptions {
  readonly exchange: SimulatedExchange
  /** The exchange's time. */
  readonly clock: Clock
  /** Default: 127.0.0.1. */
  readonly host?: string
  /** Default: 0, any free port. */
  readonly port?: number
  /** Serve a host that others can reach too. Default: false, because the keys are public knowledge. */
  readonly allowRemote?: boolean
  /** Serve the admin side under /sim to this machine. Default: true. */
  readonly admin?: boolean
  /** Moves the clock on to a time, ms UTC, for a clock that does not run by itself. */
  readonly moveClock?: (to: number) => Promise<void>
  /** Hears the base URL once the server listens. */
  readonly onListening?: (url: string) => void
}

/** A server that listens. */
export interface ExchangeServer {
  /** Base URL, without a slash at the end. */
  readonly url: string
  /** Stops listening and ends open connections. */
  close(): Promise<void>
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])
/** The market is moved no more often than this, in ms of the clock; a request moves it anyway. */
const LEAST_WAIT = 250

/** Serves an exchange over HTTP; rejects with `UsageError` for a host that is not loopback unless `allowRemote`, and if the port is taken. */
export async function startExchangeServer(options: ExchangeServerOptions): Promise<ExchangeServer> {
  const { exchange, clock, host = '127.0.0.1', port = 0, allowRemote = false, onListening } = options
  if (!allowRemote && !LOOPBACK.has(host)) {
    throw new UsageError(
      `The simulated exchange serves this machine only: use 127.0.0.1 instead of "${host}".`,
    )
  }
  const carrier = new Carrier(exchange, clock)
  const app = createApp(carrier)
  const market = new MarketTimer(exchange, clock)
  if (options.admin ?? true) serveAdmin(app, options, () => market.look())
  const url = await listen(app, host, port)
  market.look()
  onListening?.(url)
  return {
    url,
    async close() {
      market.stop()
      carrier.stop()
      await app.close()
    },
  }
}

function createApp(carrier: Carrier): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, exposeHeadRoutes: false })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.all('/*', (request, reply) => {
    carrier.carry(exchangeRequestOf(request), response => writeAnswer(response, reply.raw))
    // Not before: what the exchange throws is for the error handler.
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

/** A snapshot of an exchange that has been busy is long. */
const LARGEST_ADMIN_BODY = 1024 ** 3

/** Routes under /sim, for peers on this machine only; `onChange` hears when something may have been staged. */
function serveAdmin(app: FastifyInstance, options: ExchangeServerOptions, onChange: () => void): void {
  const desk = new AdminDesk(options)
  const refuseStrangers = async ({ socket }: FastifyRequest, reply: FastifyReply) => {
    if (isLoopback(socket.remoteAddress)) return
    await reply.code(403).send({ code: 'USAGE', msg: 'The admin side serves the machine it runs on only.' })
  }
  app.all('/sim/*', { bodyLimit: LARGEST_ADMIN_BODY, onRequest: refuseStrangers }, async (request, reply) => {
    const { method, target, body } = exchangeRequestOf(request)
    const answer = await desk.answer(method, target, body)
    onChange()
    return reply.code(answer.status).header('content-type', 'application/json').send(answer.body)
  })
}

/** The raw target and the raw body: signatures are over what was sent. */
function exchangeRequestOf({ method, raw, ip, headers, body }: FastifyRequest): ExchangeRequest {
  return {
    method,
    ip,
    target: raw.url ?? '/',
    // Only `set-cookie`, which no request has, comes as a list.
    headers: headers as ExchangeRequest['headers'],
    body: typeof body === 'string' ? body : '',
  }
}

async function listen(app: FastifyInstance, host: string, port: number): Promise<string> {
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

  /** Leaves the market alone. */
  stop(): void {
    this.#cancel()
  }
}

import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Clock } from '../domain/clock.ts'
import { UsageError } from '../domain/sluice-error.ts'
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
  const app = createApp(exchange, clock)
  const url = await listen(app, host, port)
  const stopMarket = runMarket(exchange, clock)
  onListening?.(url)
  return {
    url,
    async close() {
      stopMarket()
      await app.close()
    },
  }
}

function createApp(exchange: SimulatedExchange, clock: Clock): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, exposeHeadRoutes: false })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.all('/*', (request, reply) => {
    const { status, body } = exchange.handle(exchangeRequestOf(request), clock.now())
    return reply.code(status).header('content-type', 'application/json').send(body)
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

/** The raw target and the raw body: signatures are over what was sent. */
function exchangeRequestOf({ method, raw, headers, body }: FastifyRequest): ExchangeRequest {
  const entries = Object.entries(headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value[0] : value,
  ])
  return {
    method,
    target: raw.url ?? '/',
    headers: Object.fromEntries(entries),
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

/** Moves the market whenever a print is due, until the returned function is called. */
function runMarket(exchange: SimulatedExchange, clock: Clock): () => void {
  let cancel: () => void = () => undefined
  const step = () => {
    exchange.advance(clock.now())
    if (exchange.nextPrintAt === undefined) return
    cancel = clock.schedule(Math.max(LEAST_WAIT, exchange.nextPrintAt - clock.now()), step)
  }
  step()
  return () => cancel()
}

import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import {
  type ConnectionOptions,
  type ExchangeConnection,
  exchangeConnection,
} from '../../../src/exchange/call/exchange-connection.ts'
import { Credentials } from '../../../src/exchange/http/credentials.ts'
import type { HttpRequest, HttpResponse } from '../../../src/exchange/http/transport.ts'
import { sentLater } from '../../sent-later.ts'
import { KEY, NOW, SECRET } from './scripted-exchange.ts'

/** A request as an exchange sees it arrive. */
export interface Arrival {
  readonly request: HttpRequest
  /** `GET /path`. */
  readonly name: string
  /** ms UTC of the client's clock. */
  readonly at: number
}

/** An exchange on virtual time with a client at its door. */
export interface CallWorld extends ExchangeConnection {
  readonly clock: VirtualClock
  readonly arrivals: readonly Arrival[]
}

/** How long a request travels and how long its answer, ms. */
export type Latency = () => { readonly there: number; readonly back: number }

/** How a world differs from the usual: a known server clock, 10 ms each way, no jitter. */
export interface CallWorldOptions extends Partial<ConnectionOptions> {
  readonly latency?: Latency
  /** The client has to find out the time of the exchange. */
  readonly measuresTime?: boolean
}

/** A client whose calls take time, answered by `serve` at their arrival; `serve` may throw what a transport would. */
export function callWorld(
  serve: (arrival: Arrival) => HttpResponse | string,
  { latency = () => ({ there: 10, back: 10 }), measuresTime = false, ...options }: CallWorldOptions = {},
): CallWorld {
  const clock = new VirtualClock(NOW)
  const arrivals: Arrival[] = []
  const pass = (ms: number): Promise<void> => new Promise(resolve => clock.schedule(ms, resolve))
  const transport = sentLater(async request => {
    const { there, back } = latency()
    await pass(there)
    const arrival = { request, name: `${request.method} ${new URL(request.url).pathname}`, at: clock.now() }
    arrivals.push(arrival)
    const answer = serve(arrival)
    await pass(back)
    return typeof answer === 'string' ? { status: 200, body: answer } : answer
  })
  const connection = exchangeConnection({
    spotUrl: 'https://spot.test',
    futuresUrl: 'https://futures.test',
    credentials: new Credentials(KEY, SECRET),
    clock,
    transport,
    ...(!measuresTime && { timeOffset: () => 0 }),
    random: () => 0.5,
    ...options,
  })
  return { ...connection, clock, arrivals }
}

/** What became of a promise so far. */
export interface Outcome {
  readonly value?: unknown
  readonly error?: unknown
}

/** Watches a promise; the outcome appears in the returned object once there is one. */
export function outcomeOf(promise: Promise<unknown>): Outcome {
  const outcome: { value?: unknown; error?: unknown } = {}
  promise.then(
    value => {
      outcome.value = value
    },
    (error: unknown) => {
      outcome.error = error
    },
  )
  return outcome
}

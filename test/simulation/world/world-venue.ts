import type { Venue } from '../../../src/bot/venue/venue.ts'
import { loadProfile } from '../../../src/config/profiles/load-profile.ts'
import type { Clock } from '../../../src/domain/clock.ts'
import { createExchangeClient } from '../../../src/exchange/exchange-client.ts'
import type { HttpRequest, HttpResponse, Transport } from '../../../src/exchange/http/transport.ts'
import type { DialectName } from '../../../src/simulator/dialects/dialects.ts'
import type { SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { inProcessTransport } from '../../in-process-transport.ts'
import { sentLater } from '../../sent-later.ts'
import { type MachineTime, mortalClock } from './mortal-clock.ts'
import { mortalTransport, type Passage, type TransportMoment } from './mortal-transport.ts'

/** Who hears of every request, and of what came of it. */
export interface RequestWatcher {
  readonly onRequest: (request: HttpRequest, number: number) => void
  readonly onAnswer: (request: HttpRequest, number: number, answer: HttpResponse | string) => void
}

/** What lies between one life of a bot and the exchange of its world. */
export interface WorldVenueOptions {
  readonly exchange: SimulatedExchange
  /** The dialect of the exchange, which the bot has a profile for. */
  readonly dialect: DialectName
  /** The clock of the world. */
  readonly clock: Clock
  readonly isAlive: () => boolean
  readonly onMoment: (moment: TransportMoment) => void
  /** How the bot's machine differs from the world's time; the exchange's clock is then measured. */
  readonly machine: MachineTime | undefined
  /** From 0 up to 1, for jitter. */
  readonly random: (() => number) | undefined
  /** How each request travels. */
  readonly passageOf: ((request: HttpRequest) => Passage | undefined) | undefined
  readonly watcher: RequestWatcher | undefined
  /** Gives each request its number. */
  readonly nextRequest: () => number
}

/** The exchange of a world as one life of a bot sees it. */
export async function worldVenue(options: WorldVenueOptions): Promise<Venue> {
  const { isAlive, machine, random = () => 0.5 } = options
  const clock = mortalClock(options.clock, isAlive, machine)
  const client = createExchangeClient({
    ...hostsOf(options.dialect),
    apiKey: TEST_ACCOUNT.apiKey,
    apiSecret: TEST_ACCOUNT.apiSecret,
    clock,
    recvWindowMs: 5000,
    timeoutMs: 2000,
    random,
    transport: transportOf(options),
    ...(machine === undefined && { timeOffset: () => 0 }),
  })
  const { spot, margin, futures, account } = client
  const profile = loadProfile(options.dialect)
  const common = { description: 'world', profile, spot, margin, futures, account, close: async () => {} }
  if (machine === undefined) return { ...common, clock, serverNow: () => clock.now() }
  await client.synchronise()
  return {
    ...common,
    clock,
    serverNow: client.serverNow,
    usage: () => client.state().calls.ip,
    clockUncertaintyMs: () => client.state().clock.uncertaintyMs,
  }
}

/** A profile knows its hosts; their names lead to the exchange of the world. */
function hostsOf(dialect: DialectName) {
  return dialect === 'document'
    ? { spotUrl: 'http://127.0.0.1', futuresUrl: 'http://127.0.0.1' }
    : { profile: loadProfile(dialect) }
}

function transportOf({ exchange, clock, isAlive, onMoment, ...options }: WorldVenueOptions): Transport {
  const { passageOf = () => undefined, watcher, nextRequest } = options
  const transport = mortalTransport({
    exchange: inProcessTransport(exchange, clock),
    clock,
    isAlive,
    onMoment,
    passageOf,
  })
  return sentLater(watcher === undefined ? transport : watched(transport, watcher, nextRequest))
}

/** Tells of what comes and goes. */
function watched(transport: Transport, watcher: RequestWatcher, next: () => number): Transport {
  return async request => {
    const number = next()
    watcher.onRequest(request, number)
    try {
      const response = await transport(request)
      watcher.onAnswer(request, number, response)
      return response
    } catch (error) {
      watcher.onAnswer(request, number, String(error))
      throw error
    }
  }
}

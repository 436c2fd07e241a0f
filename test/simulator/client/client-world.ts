import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import {
  createExchangeClient,
  type ExchangeClient,
  type ExchangeClientOptions,
} from '../../../src/exchange/exchange-client.ts'
import type { HttpRequest, HttpResponse } from '../../../src/exchange/http/transport.ts'
import { startExchangeServer } from '../../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { inProcessTransport } from '../../in-process-transport.ts'
import { klinesOf, START } from '../exchange-caller.ts'
import { ROUND_CONTRACT } from '../futures/futures-caller.ts'

/** What the worlds' clocks show at first: four prints of one BTC each, at 100, lie behind. */
export const NOW = START + 50_000

/** A client at the door of an exchange, on virtual time. */
export interface ClientWorld {
  readonly client: ExchangeClient
  readonly clock: VirtualClock
  /** `METHOD /path` of every request that arrived at the exchange. */
  readonly arrivals: readonly string[]
  /** `undefined` where the answers are scripted. */
  readonly exchange: SimulatedExchange | undefined
  readonly close: () => Promise<void>
}

/** How a client differs from the usual, which may withdraw and needs not measure the time. */
export type WorldOptions = Partial<ExchangeClientOptions> & { readonly measuresTime?: boolean }

const NO_CLOSING = async () => undefined

function clientOf(
  clock: VirtualClock,
  urls: Pick<ExchangeClientOptions, 'spotUrl' | 'futuresUrl'>,
  { measuresTime = false, ...options }: WorldOptions,
): ExchangeClient {
  const { apiKey, apiSecret } = TEST_ACCOUNT
  return createExchangeClient({
    // A profile knows its hosts.
    ...(options.profile === undefined && urls),
    ...{ clock, apiKey, apiSecret, allowWithdrawals: true, random: () => 0.5 },
    ...(!measuresTime && { timeOffset: () => 0 }),
    ...options,
  })
}

const TEST_HOSTS = { spotUrl: 'https://spot.test', futuresUrl: 'https://futures.test' }

const nameOf = ({ method, url }: HttpRequest) => `${method} ${new URL(url).pathname}`

/** An exchange that is no more than its answers; `answer` may throw what a transport would. */
export function scriptedWorld(
  answer: (request: HttpRequest, clock: VirtualClock) => HttpResponse | string,
  options: WorldOptions = {},
): ClientWorld {
  const clock = new VirtualClock(NOW)
  const arrivals: string[] = []
  const transport = async (request: HttpRequest): Promise<HttpResponse> => {
    arrivals.push(nameOf(request))
    const response = answer(request, clock)
    return typeof response === 'string' ? { status: 200, body: response } : response
  }
  const client = clientOf(clock, TEST_HOSTS, { transport, ...options })
  return { client, clock, arrivals, exchange: undefined, close: NO_CLOSING }
}

/** BTC/USDT at 100 and a contract of 0.1 BTC that follows it, two levels on each side, 10,000 USDT and 10 BTC on every account. */
export function usualConfig(more: SimulatorConfigInput = {}): SimulatorConfigInput {
  const klines = klinesOf(...Array.from({ length: 3 }, () => [100, 100, 100, 100, 4] as const))
  const balances = { USDT: '10000', BTC: '10' }
  return {
    listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', klines } }],
    accounts: [{ ...TEST_ACCOUNT, balances, marginBalances: balances, futuresBalances: { USDT: '10000' } }],
    liquidity: { spreadTicks: 1, levelNotionals: ['2000', '3000'] },
    futures: { contracts: [ROUND_CONTRACT], leverage: 10 },
    ...more,
  }
}

function openedExchange(config: SimulatorConfigInput): SimulatedExchange {
  const exchange = createSimulatedExchange(config)
  exchange.advance(START)
  return exchange
}

/** The simulated exchange in this process. */
export function simulatedWorld(config = usualConfig(), options: WorldOptions = {}): ClientWorld {
  const [exchange, clock, arrivals] = [openedExchange(config), new VirtualClock(NOW), [] as string[]]
  const inner = inProcessTransport(exchange, clock)
  const transport = (request: HttpRequest) => {
    arrivals.push(nameOf(request))
    return inner(request)
  }
  const client = clientOf(clock, TEST_HOSTS, { transport, ...options })
  return { client, clock, arrivals, exchange, close: NO_CLOSING }
}

/** The simulated exchange behind real HTTP. */
export async function httpWorld(config = usualConfig(), options: WorldOptions = {}): Promise<ClientWorld> {
  const [exchange, clock] = [openedExchange(config), new VirtualClock(NOW)]
  const { url, futuresUrl, close } = await startExchangeServer({ exchange, clock, futuresPort: 0 })
  const client = clientOf(clock, { spotUrl: url, futuresUrl }, options)
  return {
    ...{ client, clock, exchange },
    get arrivals() {
      const requests = exchange.eventsAfter(0, 1_000_000).filter(({ type }) => type === 'request')
      return requests.map(({ method, path }) => `${method} ${path}`)
    },
    async close() {
      await client.close()
      await close()
    },
  }
}

/** Awaits a promise while virtual time passes. */
export function settled<Value>({ clock }: ClientWorld, promise: Promise<Value>): Promise<Value> {
  return clock.passUntil(promise, 100)
}

/** Decimals as text and absent fields left out. */
export function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}

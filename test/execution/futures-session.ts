import { VirtualClock } from '../../src/bot/clock/virtual-clock.ts'
import type { EngineEvent } from '../../src/domain/events/engine-event.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { amountOf, rateOf } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'
import type { OrderDraft } from '../../src/domain/orders/order-request.ts'
import { createExchangeClient } from '../../src/exchange/exchange-client.ts'
import type { HttpRequest } from '../../src/exchange/http/transport.ts'
import type { ExecutionOptions } from '../../src/execution/execution-options.ts'
import { Executor } from '../../src/execution/executor.ts'
import { FuturesTrading } from '../../src/execution/gateway/futures-trading.ts'
import { type SentRequest, SentRequests } from '../../src/execution/sent-requests.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import type { FuturesAccount } from '../../src/simulator/futures/positions/futures-account.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { withoutClientIds } from '../bot/futures/futures-bot.ts'
import { faultyTransport, type Journey } from '../faulty-transport.ts'
import { inProcessTransport } from '../in-process-transport.ts'
import { requestOf } from '../ledger/order-parts.ts'
import { START } from '../simulator/exchange-caller.ts'
import { futuresOf } from '../simulator/futures/futures-caller.ts'
import { MARGIN_MS, RECV_WINDOW_MS, TIMEOUT_MS } from './execution-session.ts'

/** Contracts of 0.1 BTC at 10x, one position of a contract, fees of 0.05% and 0.1%. */
const INSTRUMENT: Instrument = {
  symbol: 'BTC/USDT',
  base: 'BTC',
  quote: 'USDT',
  pricePrecision: 2,
  quantityPrecision: 0,
  minPrice: ticks(1),
  minQuantity: steps(1),
  maxQuantity: steps(40),
  minNotional: amountOf('0'),
  leverage: { min: 1, max: 100 },
  accountType: 'futures',
  contractSize: amountOf('0.1'),
  futures: {
    leverage: 10,
    marginMode: 'cross',
    positionMode: 'oneWay',
    maintenance: [{ rate: rateOf('0.01') }],
  },
  fees: { maker: rateOf('0.0005'), taker: rateOf('0.001'), paidIn: 'quote' },
}

/** What a session is made of. */
export interface FuturesSessionOptions {
  readonly klines: readonly Kline[]
  /** Whether open orders and details tell the clientOrderId, as sibling hosts do; the interface document has none. */
  readonly tellsClientIds?: boolean
}

/** An executor that trades the contract E-BTC-USDT at a simulated exchange on virtual time, and a ledger that books what it tells. 1000 USDT. */
export class FuturesSession {
  readonly clock = new VirtualClock(START)
  readonly exchange: SimulatedExchange
  readonly instrument = INSTRUMENT
  readonly ledger = new Ledger([INSTRUMENT], [['USDT', amountOf('1000')]])
  executor: Executor
  readonly #newExecutor: () => Executor
  readonly events: EngineEvent[] = []
  readonly errors: unknown[] = []
  readonly departures: SentRequest[] = []
  /** Decides how each request travels. */
  journeyOf: (call: string, request: HttpRequest) => Journey | undefined = () => undefined
  readonly #invariantErrors: unknown[] = []

  constructor({ klines, tellsClientIds = false }: FuturesSessionOptions) {
    this.exchange = createSimulatedExchange(
      futuresOf(klines, { maxMarketVolume: 40, maxLimitVolume: 40 }, { positionMode: 'net' }),
    )
    const plain = inProcessTransport(this.exchange, this.clock)
    const { futures } = createExchangeClient({
      spotUrl: 'http://127.0.0.1',
      futuresUrl: 'http://127.0.0.1',
      apiKey: TEST_ACCOUNT.apiKey,
      apiSecret: TEST_ACCOUNT.apiSecret,
      clock: this.clock,
      transport: faultyTransport(tellsClientIds ? plain : withoutClientIds(plain), this.clock, request =>
        this.journeyOf(`${request.method} ${new URL(request.url).pathname}`, request),
      ),
      recvWindowMs: RECV_WINDOW_MS,
      timeoutMs: TIMEOUT_MS,
      timeOffset: () => 0,
      random: () => 0.5,
    })
    const contract = { contractName: 'E-BTC-USDT', quote: 'USDT', marginMode: 'cross' } as const
    const options: ExecutionOptions = {
      trading: new FuturesTrading(futures, new Map([['BTC/USDT', contract]])),
      serverNow: () => this.clock.now(),
      instruments: new Map([['BTC/USDT', INSTRUMENT]]),
      maxSlippageRate: 0.02,
      settlementMarginMs: MARGIN_MS,
      heldFor: () => Number.MAX_SAFE_INTEGER,
      isHeldByExit: () => false,
      onDeparture: sentRequest => void this.departures.push(sentRequest),
      emit: event => this.#book(event),
      onError: error => this.errors.push(error),
    }
    this.#newExecutor = () => new Executor(options)
    this.executor = this.#newExecutor()
  }

  /** Goes on with another executor, which knows what the ledger does. */
  restart(): void {
    this.executor = this.#newExecutor()
    this.executor.resume(this.ledger, new SentRequests(), () => [])
  }

  /** The account at the exchange. */
  get account(): FuturesAccount {
    const [account] = this.exchange.futures.accounts
    if (account === undefined) throw new Error('The exchange has no futures account.')
    return account
  }

  /** Takes an order into the ledger, as the engine does, and has it carried out. */
  place(clientOrderId: string, fields: Partial<OrderDraft> = {}): void {
    const request = requestOf({ clientOrderId, quantity: steps(10), ...fields })
    this.ledger.orders.add(request)
    this.executor.execute({ type: 'placeOrder', request })
  }

  cancel(clientOrderId: string): void {
    this.executor.execute({ type: 'cancelOrder', clientOrderId, symbol: 'BTC/USDT' })
  }

  /** Lets time pass; throws what the ledger could not believe. */
  async run(ms: number): Promise<void> {
    await this.clock.advanceTo(this.clock.now() + ms)
    if (this.#invariantErrors.length > 0) throw this.#invariantErrors[0]
  }

  /** Looks at every order each second from now on. */
  keepLooking(): void {
    void this.executor.reconcile()
    this.clock.schedule(1000, () => this.keepLooking())
  }

  statusOf(clientOrderId: string) {
    return this.ledger.orders.get(clientOrderId)?.status
  }

  /** Shows the trigger book the latest price. */
  observe(): void {
    this.exchange.advance(this.clock.now())
    const last = (this.exchange.state.marketOf('BTC/USDT').reference ?? 0) / 100
    this.executor.observe('BTC/USDT', { bid: last, ask: last, last })
  }

  /** Signed contracts at the exchange. */
  get heldThere(): number {
    const signed = this.account
      .positions()
      .map(({ direction, volume }) => (direction === 'long' ? volume : -volume))
    return signed.reduce((sum: number, volume) => sum + volume, 0)
  }

  #book(event: EngineEvent): void {
    this.events.push(event)
    try {
      if (event.type === 'filled' && this.ledger.book(event.fill) === undefined)
        throw new Error(`The fill ${event.fill.id} was told twice.`)
      if (event.type === 'orderUpdated') this.ledger.orders.update(event.clientOrderId, event.event, event)
    } catch (error) {
      this.#invariantErrors.push(error)
    }
  }
}

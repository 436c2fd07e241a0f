import { VirtualClock } from '../../src/bot/clock/virtual-clock.ts'
import type { EngineEvent } from '../../src/domain/events/engine-event.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { amountOf, amountToText } from '../../src/domain/numbers/amount.ts'
import { priceText, quantityText } from '../../src/domain/numbers/grid.ts'
import type { OrderDraft, OrderRequest } from '../../src/domain/orders/order-request.ts'
import type { OrderStatus } from '../../src/domain/orders/order-status.ts'
import type { AccountClient } from '../../src/exchange/client/account-client.ts'
import type { SpotClient } from '../../src/exchange/client/spot-client.ts'
import { createExchangeClient, type ExchangeClient } from '../../src/exchange/exchange-client.ts'
import type { HttpRequest } from '../../src/exchange/http/transport.ts'
import { Executor } from '../../src/execution/executor.ts'
import { MarginTrading } from '../../src/execution/gateway/margin-trading.ts'
import { spotTrading } from '../../src/execution/gateway/spot-trading.ts'
import type { TradingCalls } from '../../src/execution/gateway/trading-calls.ts'
import type { SentRequest } from '../../src/execution/sent-requests.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import type { SimulatedSpotOrder } from '../../src/simulator/spot/spot-order.ts'
import type { Trader } from '../../src/simulator/trader.ts'
import type { User } from '../../src/simulator/user.ts'
import { faultyTransport, type Journey } from '../faulty-transport.ts'
import { inProcessTransport } from '../in-process-transport.ts'
import { requestOf } from '../ledger/order-parts.ts'
import { ExchangeCaller, flatMarket, START } from '../simulator/exchange-caller.ts'

/** How old a signed request may be when it arrives. */
export const RECV_WINDOW_MS = 5000
/** When the client gives up waiting for an answer. */
export const TIMEOUT_MS = 2000
/** How long an accepted order may stay invisible. */
export const MARGIN_MS = 3000

const ON_MARGIN = { accountType: 'margin', ownFundsOnly: true, limitKinds: ['ioc'] } as const
const BALANCES = { USDT: '10000', BTC: '10' }

/** What a session is made of. */
export interface SessionOptions {
  /** Default: stands still at 100. */
  readonly klines?: readonly Kline[]
  /** Whether the exchange's own market maker quotes one tick around the price; default: yes. */
  readonly isQuoted?: boolean
  /** Largest order, base units; default: none. */
  readonly maxVolume?: string
  /** Which account trades; on margin with own funds only. Default: spot. */
  readonly account?: 'spot' | 'margin'
  /** Steps held of what an exit closes; default: any number. */
  readonly heldFor?: () => number
}

/**
 * An executor that trades BTC/USDT (tick 0.01, step 0.001, fee 0.1%) at a simulated exchange on virtual time, and a ledger
 * that books what it tells. The account holds 10,000 USDT and 10 BTC.
 */
export class ExecutionSession {
  readonly clock = new VirtualClock(START)
  readonly exchange: SimulatedExchange
  readonly instrument: Instrument
  readonly ledger: Ledger
  readonly trading: TradingCalls
  readonly executor: Executor
  readonly spot: SpotClient
  readonly account: Pick<AccountClient, 'balances'>
  /** Everything the executor told. */
  readonly events: EngineEvent[] = []
  readonly errors: unknown[] = []
  /** Every write, as it was noted before it left. */
  readonly departures: SentRequest[] = []
  /** Every try to reach the exchange: `POST /sapi/v2/order`. */
  readonly calls: string[] = []
  /** The clientOrderId of every placement that left for the exchange. */
  readonly sentIds: string[] = []
  /** Decides how each request travels. */
  journeyOf: (call: string, request: HttpRequest) => Journey | undefined = () => undefined
  readonly #isOnMargin: boolean
  readonly #invariantErrors: unknown[] = []

  constructor({
    klines = flatMarket(100),
    isQuoted = true,
    maxVolume,
    account,
    heldFor,
  }: SessionOptions = {}) {
    this.#isOnMargin = account === 'margin'
    this.exchange = createSimulatedExchange({
      listings: [
        {
          symbol: 'BTC/USDT',
          quantityPrecision: 3,
          market: { type: 'klines', klines },
          ...(maxVolume !== undefined && { maxVolume }),
        },
      ],
      accounts: [
        { ...TEST_ACCOUNT, balances: BALANCES, marginBalances: BALANCES },
        { apiKey: 'second-key', apiSecret: 'second-secret', balances: BALANCES },
      ],
      ...(!isQuoted && { liquidity: { levelNotionals: [] } }),
      margin: { maxLeverage: '1' },
    })
    const { instrument } = this.exchange.state.marketOf('BTC/USDT')
    this.instrument = this.#isOnMargin ? { ...instrument, ...ON_MARGIN } : instrument
    const balances = Object.entries(BALANCES).map(([asset, text]) => [asset, amountOf(text)] as const)
    this.ledger = new Ledger([this.instrument], balances)
    const client = this.#createClient()
    this.spot = client.spot
    this.account = client.account
    this.trading = this.#isOnMargin ? new MarginTrading(client.margin) : spotTrading(client.spot)
    this.executor = this.#createExecutor(heldFor)
  }

  /** The account at the exchange. */
  get user(): Trader {
    return this.#isOnMargin ? this.accounts.margin : this.accounts
  }

  /** All accounts of the user at the exchange. */
  get accounts(): User {
    const [user] = this.exchange.state.users
    if (user === undefined) throw new Error('The exchange has no user.')
    return user
  }

  /** Takes an order into the ledger, as the engine does, and has it carried out. */
  place(clientOrderId: string, fields: Partial<OrderDraft> = {}): OrderRequest {
    const request = requestOf({ clientOrderId, ...fields })
    this.ledger.orders.add(request)
    this.executor.execute({ type: 'placeOrder', request })
    return request
  }

  cancel(clientOrderId: string): void {
    this.executor.execute({ type: 'cancelOrder', clientOrderId, symbol: 'BTC/USDT' })
  }

  /** Lets time pass; throws what the ledger could not believe. */
  async run(ms: number): Promise<void> {
    await this.clock.advanceTo(this.clock.now() + ms)
    if (this.#invariantErrors.length > 0) throw this.#invariantErrors[0]
  }

  /** One look at every order, and a moment for it. */
  async look(ms = 1): Promise<void> {
    void this.executor.reconcile()
    await this.run(ms)
  }

  /** Looks at every order each second from now on. */
  keepLooking(): void {
    void this.executor.reconcile()
    this.clock.schedule(1000, () => this.keepLooking())
  }

  /** Calls the exchange as somebody else. */
  stranger(): ExchangeCaller {
    const caller = new ExchangeCaller(this.exchange, { apiKey: 'second-key', apiSecret: 'second-secret' })
    caller.now = this.clock.now()
    return caller
  }

  statusOf(clientOrderId: string): OrderStatus | undefined {
    return this.ledger.orders.get(clientOrderId)?.status
  }

  atExchange(clientOrderId: string): SimulatedSpotOrder | undefined {
    return this.user.history.byClientId(clientOrderId)
  }

  /** How many placements of an order left for the exchange. */
  timesSent(clientOrderId: string): number {
    return this.sentIds.filter(id => id === clientOrderId).length
  }

  /** What happened to an order, in words. */
  lifeOf(clientOrderId: string): string[] {
    return this.events.flatMap(event => {
      if (event.type === 'orderUpdated' && event.clientOrderId === clientOrderId) return [event.event]
      if (event.type !== 'filled' || event.fill.clientOrderId !== clientOrderId) return []
      const { side, quantity, price, fee, feeAsset, liquidity } = event.fill
      const size = `${quantityText(this.instrument, quantity)} at ${priceText(this.instrument, price)}`
      return [`${side} ${size}, fee ${amountToText(fee)} ${feeAsset}, ${liquidity}`]
    })
  }

  #createClient(): ExchangeClient {
    const transport = faultyTransport(inProcessTransport(this.exchange, this.clock), this.clock, request => {
      const call = `${request.method} ${new URL(request.url).pathname}`
      this.calls.push(call)
      if (call === 'POST /sapi/v2/order' || call === 'POST /sapi/v2/margin/order')
        this.sentIds.push(JSON.parse(request.body).newClientOrderId)
      return this.journeyOf(call, request)
    })
    return createExchangeClient({
      spotUrl: 'http://127.0.0.1',
      apiKey: TEST_ACCOUNT.apiKey,
      apiSecret: TEST_ACCOUNT.apiSecret,
      clock: this.clock,
      transport,
      recvWindowMs: RECV_WINDOW_MS,
      timeoutMs: TIMEOUT_MS,
      timeOffset: () => 0,
      random: () => 0.5,
    })
  }

  #createExecutor(heldFor = () => Number.MAX_SAFE_INTEGER): Executor {
    return new Executor({
      trading: this.trading,
      serverNow: () => this.clock.now(),
      instruments: new Map([[this.instrument.symbol, this.instrument]]),
      heldFor,
      isHeldByExit: () => false,
      maxSlippageRate: 0.01,
      settlementMarginMs: MARGIN_MS,
      onDeparture: sentRequest => void this.noteDeparture(sentRequest),
      emit: event => this.book(event),
      onError: error => this.errors.push(error),
    })
  }

  /** Takes note of a write that is about to leave. */
  noteDeparture(sentRequest: SentRequest): void {
    this.departures.push(sentRequest)
  }

  /** Takes an event as the engine does. */
  book(event: EngineEvent): void {
    this.events.push(event)
    try {
      if (event.type === 'filled') this.#bookFill(event.fill)
      if (event.type === 'orderUpdated') this.ledger.orders.update(event.clientOrderId, event.event, event)
      if (event.type === 'balancesReported')
        for (const [asset, amount] of event.balances) this.ledger.setBalance(asset, amount)
    } catch (error) {
      this.#invariantErrors.push(error)
    }
  }

  #bookFill(fill: Parameters<Ledger['book']>[0]): void {
    if (this.ledger.book(fill) === undefined) throw new Error(`The fill ${fill.id} was told twice.`)
  }
}

/** Steps that an order at the exchange asks for; ours are never measured in quote. */
export function baseStepsOf({ size }: SimulatedSpotOrder): number {
  return size.unit === 'base' ? size.quantity : Number.NaN
}

/** The first request of a kind travels as told, all others undisturbed. */
export function firstOf(call: string, journey: Journey): ExecutionSession['journeyOf'] {
  let isFirst = true
  return seen => {
    if (seen !== call || !isFirst) return undefined
    isFirst = false
    return journey
  }
}

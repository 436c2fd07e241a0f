import type { Bot } from '../../src/bot/bot.ts'
import type { BotObserver } from '../../src/bot/bot-observer.ts'
import { VirtualClock } from '../../src/bot/clock/virtual-clock.ts'
import type { OperatorRequest } from '../../src/bot/control/operator-request.ts'
import { createBot } from '../../src/bot/create-bot.ts'
import { createBotLog } from '../../src/bot/log/bot-log.ts'
import type { BotStatus } from '../../src/bot/log/bot-status.ts'
import type { BotSummary } from '../../src/bot/log/bot-summary.ts'
import type { JournalVenue } from '../../src/bot/state/session-record.ts'
import type { GivenAccounts } from '../../src/config/account-fields.ts'
import type { BotConfig } from '../../src/config/bot-config.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { rateOf } from '../../src/domain/numbers/amount.ts'
import type { Size } from '../../src/domain/signal.ts'
import type { Patience } from '../../src/exchange/call/endpoint-call.ts'
import { createExchangeClient, type ExchangeClient } from '../../src/exchange/exchange-client.ts'
import type { HttpRequest, Transport } from '../../src/exchange/http/transport.ts'
import type { Journal } from '../../src/journal/journal.ts'
import type { RiskRules } from '../../src/risk/risk-rules.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import type { SimulatorConfigInput } from '../../src/simulator/simulator-config.ts'
import type { User } from '../../src/simulator/user.ts'
import type { Strategy } from '../../src/strategy/index.ts'
import { faultyTransport, type Journey } from '../faulty-transport.ts'
import { inProcessTransport } from '../in-process-transport.ts'
import { flatMarket, MINUTE, START } from '../simulator/exchange-caller.ts'
import { POLLING } from './inputs/polling.ts'

/** Key and secret of the bot's account: they must never be seen anywhere. */
export const KEY = 'never-print-this-key'
export const SECRET = 'never-print-this-secret'
/** Name of the bot in the configuration. */
export const BOT = 'test'
/** How often open orders are asked for. */
export const POLL_ORDERS_MS = 1000

/** What a session is made of. */
export interface BotSessionOptions {
  readonly strategy: Strategy
  /** Default: an hour at 100. */
  readonly klines?: readonly Kline[]
  /** Default: BTC/USDT, the one that is listed. */
  readonly symbol?: string
  readonly journal?: Journal
  /** The venue that the journal notes; default: none, as before venues were noted. */
  readonly journalVenue?: JournalVenue
  /** Of the account. */
  readonly risk?: RiskRules
  /** How far the exchange's clock may be off, ms. */
  readonly clockUncertaintyMs?: () => number
  /** Default: a spot account. */
  readonly account?: GivenAccounts['account']
  readonly accounts?: GivenAccounts['accounts']
  /** What is known of contracts. */
  readonly instruments?: BotConfig['instruments']
  /** What is traded, where that is more than the strategy on the one symbol. */
  readonly traded?: readonly {
    /** Default: the name of the strategy. */
    readonly file?: string
    readonly strategy: Strategy
    readonly symbol: string
    readonly markets?: Readonly<Record<string, { readonly symbol: string }>>
  }[]
  /** Default: BTC/USDT with these klines, and 10,000 USDT. */
  readonly exchange?: SimulatorConfigInput
  readonly size?: Size
  /** What lies between the exchange and the faults of the line. */
  readonly host?: (exchange: Transport) => Transport
  /** Sentence of a paper venue about a host that is away. */
  readonly silence?: () => string | undefined
  /** What differs from the usual execution. */
  readonly execution?: Partial<BotConfig['execution']>
  /** Of its sessions; default: none. */
  readonly sessionTag?: string
  /** Time after which its client gives a request up, ms; default 2000. */
  readonly timeoutMs?: number
  /** Of the reads of its client; see `StartPatience`. */
  readonly patience?: (clock: VirtualClock) => Patience
  /** Follows what the bot does. */
  readonly observer?: BotObserver
  /** Another bot whose exchange, account and clock it shares; default: it has them alone. */
  readonly beside?: BotSession
}

/** A whole bot at a simulated exchange on virtual time, ten minutes into a market; the account holds 10,000 USDT. */
export class BotSession {
  readonly clock: VirtualClock
  readonly exchange: SimulatedExchange
  readonly client: ExchangeClient
  /** What the bot could not trade on after. */
  readonly failures: unknown[] = []
  /** Log lines from the level trace on, as written. */
  readonly lines: string[] = []
  /** Decides how each request travels. */
  journeyOf: (call: string, request: HttpRequest) => Journey | undefined = () => undefined
  readonly #options: BotSessionOptions
  #bot: Bot | undefined

  constructor(options: BotSessionOptions) {
    this.#options = options
    this.clock = options.beside?.clock ?? new VirtualClock(START + 10 * MINUTE)
    this.exchange =
      options.beside?.exchange ??
      createSimulatedExchange({
        listings: [
          { symbol: 'BTC/USDT', market: { type: 'klines', klines: options.klines ?? flatMarket(100, 60) } },
          { symbol: 'ETH/USDT' },
        ],
        accounts: [{ apiKey: KEY, apiSecret: SECRET, balances: { USDT: '10000' } }],
        ...options.exchange,
      })
    const carry = (options.host ?? (plain => plain))(inProcessTransport(this.exchange, this.clock))
    this.client = createExchangeClient({
      spotUrl: 'http://127.0.0.1',
      futuresUrl: 'http://127.0.0.1',
      apiKey: KEY,
      apiSecret: SECRET,
      clock: this.clock,
      recvWindowMs: 5000,
      timeoutMs: options.timeoutMs ?? 2000,
      timeOffset: () => 0,
      random: () => 0.5,
      patience: options.patience?.(this.clock),
      transport: faultyTransport(carry, this.clock, request =>
        this.journeyOf(`${request.method} ${new URL(request.url).pathname}`, request),
      ),
    })
  }

  /** The account at the exchange. */
  get user(): User {
    const [user] = this.exchange.state.users
    if (user === undefined) throw new Error('The exchange has no user.')
    return user
  }

  /** Makes a bot ready. */
  async create(): Promise<Bot> {
    const {
      strategy,
      symbol = 'BTC/USDT',
      size = { base: 1 },
      journal,
      risk,
      account,
      accounts,
      instruments,
    } = this.#options
    const { clock, lines } = this
    const { sessionTag, clockUncertaintyMs, traded = [{ strategy, symbol }] } = this.#options
    const { journalVenue, silence } = this.#options
    const { spot, margin, futures, account: spotAccount } = this.client
    this.#bot = await createBot({
      config: {
        bot: BOT,
        execution: {
          orderTimeoutMs: 2000,
          pollOrdersMs: POLL_ORDERS_MS,
          maxSlippageRate: rateOf('0.01'),
          maxPriceJumpRate: rateOf('0.05'),
          settlementMarginMs: 3000,
          foreignOrders: 'leave',
          onStop: 'cancel',
          stopWithinMs: 60_000,
          ...this.#options.execution,
        },
        polling: POLLING,
        risk,
        account,
        accounts,
        instruments,
      },
      venue: {
        description: 'test',
        clock,
        spot,
        margin,
        futures,
        account: spotAccount,
        serverNow: () => clock.now(),
        pause: () => this.client.state().calls.pause,
        close: async () => {},
        ...(clockUncertaintyMs !== undefined && { clockUncertaintyMs }),
        ...(silence !== undefined && { silence }),
      },
      strategies: traded.map(one => ({
        file: one.strategy.name,
        ...one,
        parameters: {},
        interval: '1m',
        size,
      })),
      log: createBotLog({ level: 'trace', readable: false, stream: { write: line => lines.push(line) } }),
      journal,
      ...(journalVenue !== undefined && { journalVenue }),
      observer: this.#options.observer,
      ...(sessionTag !== undefined && { sessionTag }),
    })
    return this.#bot
  }

  /** Makes a bot ready and lets it trade. */
  async start(): Promise<void> {
    const bot = await this.create()
    bot.start(error => this.failures.push(error))
  }

  /** Asks something of the bot as its operator does, and gives its answer in words; time passes until it comes. */
  async operate(command: OperatorRequest['command'], more: Partial<OperatorRequest> = {}): Promise<string> {
    let message: string | undefined
    void this.#bot?.operate({ command, ...more }).then(answer => {
      message = answer.message
    })
    for (let ms = 0; message === undefined && ms <= 20_000; ms += 100) await this.run(ms === 0 ? 0 : 100)
    return message ?? 'The bot does not answer.'
  }

  /** Status that the bot gives its operator. */
  async status(): Promise<BotStatus> {
    const answer = await this.#bot?.operate({ command: 'status' })
    if (answer?.ok !== true) throw new Error(answer?.message ?? 'There is no bot.')
    return answer.status
  }

  /** Lets time pass. */
  async run(ms: number): Promise<void> {
    await this.clock.advanceTo(this.clock.now() + ms)
  }

  /** Leaves; time passes until that is done, for at most `ms`. */
  async leave(ms: number): Promise<BotSummary | undefined> {
    let summary: BotSummary | undefined
    void this.#bot?.shutDown().then(result => {
      summary = result
    })
    await this.run(ms)
    return summary
  }

  /** What the log says, by message. */
  said(message: string): readonly Readonly<Record<string, unknown>>[] {
    return this.lines.map(line => JSON.parse(line)).filter(({ msg }) => msg === message)
  }

  /** The clientOrderIds of the orders that are open at the exchange, oldest first. */
  get openIds(): readonly (string | undefined)[] {
    return this.user.history.openOrders.map(({ clientOrderId }) => clientOrderId).toReversed()
  }
}

import type { Bot } from '../src/bot/bot.ts'
import type { BotParts, LoadedStrategy } from '../src/bot/bot-options.ts'
import { VirtualClock } from '../src/bot/clock/virtual-clock.ts'
import { createBot } from '../src/bot/create-bot.ts'
import { createBotLog } from '../src/bot/log/bot-log.ts'
import type { BotConfig } from '../src/config/bot-config.ts'
import { createExchangeClient, type ExchangeClient } from '../src/exchange/exchange-client.ts'
import type { HttpRequest } from '../src/exchange/http/transport.ts'
import type { ExchangeProfile } from '../src/exchange/profiles/exchange-profile.ts'
import type { JournalWriter } from '../src/journal/journal.ts'
import type { SimulatedExchange } from '../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../src/simulator/simulator-config.ts'
import { EXECUTION } from './bot/execution.ts'
import { POLLING } from './bot/inputs/polling.ts'
import { faultyTransport } from './faulty-transport.ts'
import { inProcessTransport } from './in-process-transport.ts'

/** What a live bot is made of. */
export interface LiveBotOptions
  extends Pick<BotParts['config'], 'bot' | 'risk' | 'account' | 'accounts' | 'instruments'> {
  /** Of the exchange, with its hosts; default: the document. */
  readonly profile?: ExchangeProfile
  /** When it is started, ms UTC. */
  readonly startAt: number
  readonly exchange: Pick<SimulatedExchange, 'handle'>
  readonly strategies: readonly LoadedStrategy[]
  readonly lines: { write(line: string): void }
  readonly level?: BotConfig['log']['level']
  readonly journal?: JournalWriter | undefined
  readonly snapshotEntries?: number
  /** Of the code of its strategies, by their files. */
  readonly sources?: BotParts['sources']
  /** Follows what the bot does. */
  readonly observer?: BotParts['observer']
  /** What differs from how bots of tests poll and send orders. */
  readonly polling?: Partial<BotConfig['polling']>
  readonly execution?: Partial<BotConfig['execution']>
  /** Travel time of a request to the exchange, ms; default: no time. */
  readonly thereMs?: (request: HttpRequest) => number
  /** Of its requests; default: that of the client. */
  readonly recvWindowMs?: number
  /** Hears of every request before it leaves. */
  readonly onRequest?: (request: HttpRequest) => void
}

const LOOPBACK = 'http://127.0.0.1'

/** Of jitter: the same in every run. */
const random = () => 0.5

/** The whole live bot — streams, engine, executor, client — on virtual time, with the test account of a simulated exchange. */
export class LiveBot {
  readonly clock: VirtualClock
  readonly client: ExchangeClient
  readonly #options: LiveBotOptions
  #failure: { readonly error: unknown } | undefined

  constructor(options: LiveBotOptions) {
    this.#options = options
    this.clock = new VirtualClock(options.startAt)
    const { apiKey, apiSecret } = TEST_ACCOUNT
    const { thereMs = () => 0 } = options
    const carry = faultyTransport(inProcessTransport(options.exchange, this.clock), this.clock, request => ({
      thereMs: thereMs(request),
    }))
    const { profile } = options
    this.client = createExchangeClient({
      ...(profile === undefined ? { spotUrl: LOOPBACK, futuresUrl: LOOPBACK } : { profile }),
      ...{ apiKey, apiSecret, clock: this.clock, random },
      ...(options.recvWindowMs !== undefined && { recvWindowMs: options.recvWindowMs }),
      transport: request => {
        options.onRequest?.(request)
        return carry(request)
      },
    })
  }

  /** Makes the bot ready and lets it trade. */
  async start(): Promise<Bot> {
    const {
      strategies,
      lines,
      level = 'debug',
      journal,
      snapshotEntries,
      profile,
      sources,
      observer,
      ...config
    } = this.#options
    const { clock, client } = this
    const { spot, margin, futures, account } = client
    const bot = await createBot({
      config: {
        ...config,
        execution: { ...EXECUTION, ...config.execution },
        polling: { ...POLLING, ...config.polling },
      },
      venue: {
        ...{ description: config.bot, clock, spot, margin, futures, account },
        ...(profile !== undefined && { profile }),
        serverNow: () => clock.now(),
        close: async () => {},
      },
      strategies,
      log: createBotLog({ level, readable: false, stream: lines }),
      ...{ journal, random, sources, observer },
      ...(snapshotEntries !== undefined && { snapshotEntries }),
    })
    bot.start(error => {
      this.#failure ??= { error }
    })
    return bot
  }

  /** Lets time pass up to a moment, ms UTC; rejects with what the bot could not trade on after. */
  async runTo(time: number): Promise<void> {
    await this.clock.advanceTo(time)
    if (this.#failure !== undefined) throw this.#failure.error
  }
}

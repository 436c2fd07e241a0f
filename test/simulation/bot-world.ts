import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bot } from '../../src/bot/bot.ts'
import { createBotLog } from '../../src/bot/bot-log.ts'
import type { BotConfig } from '../../src/bot/config/bot-config.ts'
import { createBot } from '../../src/bot/create-bot.ts'
import { VirtualClock } from '../../src/bot/virtual-clock.ts'
import { rateOf } from '../../src/domain/amount.ts'
import type { Kline } from '../../src/domain/kline.ts'
import { createExchangeClient } from '../../src/exchange/exchange-client.ts'
import type { HttpRequest } from '../../src/exchange/transport.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import type { User } from '../../src/simulator/user.ts'
import type { Strategy } from '../../src/strategy/index.ts'
import { inProcessTransport } from '../in-process-transport.ts'
import { MortalClock } from './mortal-clock.ts'
import { copyAsFound, type JournalMoment, MortalJournal } from './mortal-journal.ts'
import { mortalTransport, type Passage, type TransportMoment } from './mortal-transport.ts'

/** A moment at which a bot may be killed. */
export type Moment = JournalMoment | TransportMoment

/** What a world is made of. */
export interface WorldOptions {
  readonly strategy: Strategy
  readonly klines: readonly Kline[]
  /** When the bot is started first, ms UTC. */
  readonly startAt: number
  /** How long it stays dead before it is started again, ms; default 10 s. */
  readonly downMs?: number
  readonly execution?: Partial<BotConfig['execution']>
  /** Largest order of the exchange, base units; default: none. */
  readonly maxVolume?: string
  /** Default: 60, so that a run of some minutes keeps its state several times. */
  readonly snapshotEntries?: number
  readonly keepEntries?: number
  /** How each request travels. */
  readonly passageOf?: (request: HttpRequest) => Passage | undefined
}

/** What a person may change between two starts. */
export interface Setup {
  readonly bot: string
  readonly strategy: Strategy
  readonly parameters: Readonly<Record<string, number>>
  readonly symbol: string
}

/** One bot from start to death. */
interface Life {
  readonly journal: MortalJournal
  bot: Bot | undefined
  isAlive: boolean
}

export const SYMBOL = 'BTC/USDT'
const POLLING = {
  tickerMs: 5000,
  klineDelayMs: 500,
  balancesMs: 15_000,
  listingsMs: 600_000,
  weightPerMinute: 12_000,
  orderShare: 0.25,
  staleAfterMs: 30_000,
  mergeWaitMs: 5000,
} as const
const EXECUTION = {
  orderTimeoutMs: 2000,
  pollOrdersMs: 2000,
  maxSlippageRate: rateOf('0.01'),
  settlementMarginMs: 3000,
  foreignOrders: 'leave',
  onStop: 'cancel',
  stopWithinMs: 60_000,
} as const

/**
 * A whole bot — streams, engine, executor, client, journal on a real file — at a simulated exchange on virtual time. It can
 * be killed at any moment, and is started again on what the disk then holds, for as long as the world goes on.
 */
export class BotWorld {
  readonly clock: VirtualClock
  readonly exchange: SimulatedExchange
  /** What the next life is configured with; changes between lives are those of a person who edits files. */
  setup: Setup
  /** Failures of bots that lived. */
  readonly failures: unknown[] = []
  /** Log lines from the level debug on, parsed. */
  readonly lines: Readonly<Record<string, unknown>>[] = []
  /** Every moment that has passed, in order. */
  readonly moments: Moment[] = []
  /** Kills the bot where it says so. */
  killsAt: (moment: Moment, index: number) => boolean = () => false
  readonly #options: WorldOptions
  readonly #folder: string
  #lives = 0
  #life: Life | undefined

  constructor(options: WorldOptions) {
    this.#options = options
    this.setup = { bot: 'world', strategy: options.strategy, parameters: {}, symbol: SYMBOL }
    this.clock = new VirtualClock(options.startAt)
    // Memory, where there is a file system in it: nothing here depends on what survives a power cut.
    this.#folder = mkdtempSync(join(process.platform === 'linux' ? '/dev/shm' : tmpdir(), 'sluice-world-'))
    this.exchange = createSimulatedExchange({
      listings: [
        {
          symbol: SYMBOL,
          quantityPrecision: 3,
          market: { type: 'klines', klines: [...options.klines] },
          ...(options.maxVolume !== undefined && { maxVolume: options.maxVolume }),
        },
        { symbol: 'ETH/USDT' },
      ],
      accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '10000' } }],
    })
  }

  /** The account at the exchange. */
  get user(): User {
    const [user] = this.exchange.state.users
    if (user === undefined) throw new Error('The exchange has no user.')
    return user
  }

  /** How often a bot was started. */
  get lives(): number {
    return this.#lives
  }

  /** The journal as it is now. */
  get journalPath(): string {
    return join(this.#folder, `life-${this.#lives}.journal`)
  }

  /** Starts a bot on what the one before left. */
  start(): void {
    const before = this.journalPath
    this.#lives++
    if (this.#lives > 1) copyAsFound(before, this.journalPath)
    const life: Life = { bot: undefined, isAlive: true, journal: this.#openJournal(() => life.isAlive) }
    this.#life = life
    this.#create(life).then(
      bot => {
        if (!life.isAlive) return
        life.bot = bot
        bot.start(error => {
          if (life.isAlive) this.failures.push(error)
        })
      },
      (error: unknown) => {
        if (life.isAlive) this.failures.push(error)
      },
    )
  }

  /** Kills the bot now; it is started again a little later. */
  kill(): void {
    const life = this.#life
    if (life === undefined || !life.isAlive) return
    life.isAlive = false
    this.clock.schedule(this.#options.downMs ?? 10_000, () => {
      this.start()
      life.journal.close()
    })
  }

  /** Lets time pass. */
  async run(ms: number): Promise<void> {
    await this.clock.advanceTo(this.clock.now() + ms)
  }

  /** Has the bot leave, and lets time pass until it has; `false` where that takes more than `ms`. */
  async leave(ms: number): Promise<boolean> {
    let hasLeft = false
    void this.#life?.bot?.leave().then(() => {
      hasLeft = true
    })
    await this.run(ms)
    if (this.#life !== undefined) this.#life.isAlive = false
    this.#life?.journal.close()
    return hasLeft
  }

  /** Forgets the journals. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** What the log says, by message. */
  said(message: string): readonly Readonly<Record<string, unknown>>[] {
    return this.lines.filter(({ msg }) => msg === message)
  }

  #pass(moment: Moment): void {
    this.moments.push(moment)
    if (this.killsAt(moment, this.moments.length - 1)) this.kill()
  }

  #openJournal(isAlive: () => boolean): MortalJournal {
    const { keepEntries } = this.#options
    return new MortalJournal({
      path: this.journalPath,
      isAlive,
      onMoment: moment => this.#pass(moment),
      ...(keepEntries !== undefined && { keepEntries }),
    })
  }

  #create(life: Life): Promise<Bot> {
    const { bot, strategy, parameters, symbol } = this.setup
    const { execution, snapshotEntries = 60, passageOf = () => undefined } = this.#options
    const isAlive = () => life.isAlive
    const clock = new MortalClock(this.clock, isAlive)
    const { spot, account } = createExchangeClient({
      spotUrl: 'http://127.0.0.1',
      apiKey: TEST_ACCOUNT.apiKey,
      apiSecret: TEST_ACCOUNT.apiSecret,
      clock,
      recvWindowMs: 5000,
      timeoutMs: 2000,
      timeOffset: () => 0,
      random: () => 0.5,
      transport: mortalTransport({
        exchange: inProcessTransport(this.exchange, this.clock),
        clock: this.clock,
        isAlive,
        onMoment: moment => this.#pass(moment),
        passageOf,
      }),
    })
    return createBot({
      config: { bot, execution: { ...EXECUTION, ...execution }, polling: POLLING },
      venue: {
        description: 'world',
        clock,
        spot,
        account,
        serverNow: () => clock.now(),
        close: async () => {},
      },
      strategies: [{ file: '', strategy, parameters, symbol, interval: '1m', size: { base: 1 } }],
      log: createBotLog({
        level: 'debug',
        readable: false,
        stream: { write: line => life.isAlive && this.lines.push(JSON.parse(line)) },
      }),
      journal: life.journal,
      snapshotEntries,
    })
  }
}

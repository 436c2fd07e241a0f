import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bot } from '../../../src/bot/bot.ts'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import type { OperatorRequest } from '../../../src/bot/control/operator-request.ts'
import { createBot } from '../../../src/bot/create-bot.ts'
import { createBotLog } from '../../../src/bot/log/bot-log.ts'
import { accountsOf, type GivenAccounts } from '../../../src/config/account-fields.ts'
import type { BotConfig } from '../../../src/config/bot-config.ts'
import { configuredMarkets, type MarketOf } from '../../../src/config/configured-market.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { rateOf } from '../../../src/domain/numbers/amount.ts'
import type { HttpRequest } from '../../../src/exchange/http/transport.ts'
import type { JournalEntry } from '../../../src/journal/journal-entry.ts'
import type { RiskRules } from '../../../src/risk/risk-rules.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import type { User } from '../../../src/simulator/user.ts'
import type { Strategy } from '../../../src/strategy/index.ts'
import { DECISION_INTERVAL } from '../invariants/past.ts'
import type { ClockStep } from './mortal-clock.ts'
import { copyAsFound, type JournalMoment, MortalJournal } from './mortal-journal.ts'
import type { Passage, TransportMoment } from './mortal-transport.ts'
import { toldRules } from './told-rules.ts'
import { type RequestWatcher, worldVenue } from './world-venue.ts'

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
  /** What is traded, where that is more than the strategy on the one symbol. */
  readonly traded?: readonly Traded[]
  /** Default: a spot account. */
  readonly account?: GivenAccounts['account']
  /** Several accounts side by side. */
  readonly accounts?: GivenAccounts['accounts']
  /** The exchange; by default one that replays the klines. */
  readonly exchange?: SimulatorConfigInput
  /** How far the bot's machine is ahead, ms; the exchange's clock is then measured, as in real life. */
  readonly aheadMs?: number
  /** When somebody sets the machine's clock to another time, and back. */
  readonly clockSteps?: readonly ClockStep[]
  /** From 0 up to 1, for jitter. */
  readonly random?: () => number
  readonly watcher?: WorldWatcher
  readonly risk?: RiskRules
}

/** A strategy on an instrument. */
export interface Traded {
  readonly strategy: Strategy
  readonly parameters: Readonly<Record<string, number | string>>
  readonly symbol: string
  /** Further markets of the strategy, by its names for them. */
  readonly markets?: Readonly<Record<string, { readonly symbol: string }>>
  /** Of its own, beside those of the account. */
  readonly risk?: RiskRules
}

/** Who hears of everything that happens in a world, at once. */
export interface WorldWatcher extends RequestWatcher {
  readonly onStart: (journalPath: string) => void
  /** A bot is about to start without the journal of those before. */
  readonly onLoss: () => void
  readonly onEnd: (cause: string) => void
  readonly onEntry: (entry: JournalEntry) => void
  /** A placement leaves that is not on the disk. */
  readonly onUnwritten: (clientOrderId: string) => void
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
  maxPriceJumpRate: rateOf('0.05'),
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
  /** Every moment that has passed, in order. */
  readonly moments: Moment[] = []
  /** Kills the bot where it says so. */
  killsAt: (moment: Moment, index: number) => boolean = () => false
  readonly #options: WorldOptions
  readonly #folder: string
  /** From the level debug on. */
  readonly #logLines: string[] = []
  #lives = 0
  /** The journal is gone: the next life begins without one. */
  #loses = false
  #requests = 0
  #life: Life | undefined

  constructor(options: WorldOptions) {
    this.#options = options
    this.setup = { bot: 'world', strategy: options.strategy, parameters: {}, symbol: SYMBOL }
    this.clock = new VirtualClock(options.startAt)
    // Memory, where there is a file system in it: nothing here depends on what survives a power cut.
    this.#folder = mkdtempSync(join(process.platform === 'linux' ? '/dev/shm' : tmpdir(), 'sluice-world-'))
    this.exchange = createSimulatedExchange(options.exchange ?? exchangeOf(options))
  }

  /** The account at the exchange. */
  get user(): User {
    const [user] = this.exchange.state.users
    if (user === undefined) throw new Error('The exchange has no user.')
    return user
  }

  /** Whether the futures host lists no transactions. */
  get hidesTransactions(): boolean {
    return this.exchange.dialect.missing?.includes('futuresTransactions') === true
  }

  /** Where a symbol of the bot is traded. */
  get marketOf(): MarketOf {
    return configuredMarkets(accountsOf(this.#options))
  }

  /** How often a bot was started. */
  get lives(): number {
    return this.#lives
  }

  /** The journal as it is now. */
  get journalPath(): string {
    return join(this.#folder, `life-${this.#lives}.journal`)
  }

  /** Whether a bot runs that is done starting. */
  get isTrading(): boolean {
    return this.#life?.isAlive === true && this.#life.bot !== undefined
  }

  /** What is traded now. */
  get traded(): readonly Traded[] {
    return this.#options.traded ?? [this.setup]
  }

  /** Starts a bot on what the one before left. */
  start(): void {
    const before = this.journalPath
    this.#lives++
    if (this.#loses) this.#options.watcher?.onLoss()
    else if (this.#lives > 1) copyAsFound(before, this.journalPath)
    this.#loses = false
    const life: Life = { bot: undefined, isAlive: true, journal: this.#openJournal(() => life.isAlive) }
    this.#life = life
    this.#options.watcher?.onStart(this.journalPath)
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
  kill(cause = 'killed'): void {
    const life = this.#life
    if (life === undefined || !life.isAlive) return
    life.isAlive = false
    this.#options.watcher?.onEnd(cause)
    this.clock.schedule(this.#options.downMs ?? 10_000, () => {
      this.start()
      life.journal.close()
    })
  }

  /** Kills the bot, and takes its journal away: the next life knows nothing of those before. */
  loseJournal(): void {
    this.#loses = true
    this.kill('killed, its journal is lost')
  }

  /** Commands the bot, if one runs. */
  operate(request: OperatorRequest): void {
    if (this.isTrading) void this.#life?.bot?.operate(request)
  }

  /** Lets time pass. */
  async run(ms: number): Promise<void> {
    await this.clock.advanceTo(this.clock.now() + ms)
  }

  /** Has the bot leave, and lets time pass until it has; `false` where that takes more than `ms`. */
  async leave(ms: number): Promise<boolean> {
    let hasLeft = false
    void this.#life?.bot?.shutDown().then(() => {
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

  /** Log lines, parsed. */
  get lines(): readonly Readonly<Record<string, unknown>>[] {
    return this.#logLines.map(line => JSON.parse(line))
  }

  /** What the log says, by message. */
  said(message: string): readonly Readonly<Record<string, unknown>>[] {
    return this.lines.filter(({ msg }) => msg === message)
  }

  #pass(moment: Moment): void {
    this.moments.push(moment)
    if (this.killsAt(moment, this.moments.length - 1)) this.kill(`killed: ${moment}`)
  }

  #openJournal(isAlive: () => boolean): MortalJournal {
    const { keepEntries, watcher } = this.#options
    return new MortalJournal({
      ...(watcher !== undefined && { onEntry: watcher.onEntry }),
      path: this.journalPath,
      isAlive,
      onMoment: moment => this.#pass(moment),
      ...(keepEntries !== undefined && { keepEntries }),
    })
  }

  /** Looks at each placement whether it is on the disk before it leaves. */
  #checkedAgainst(life: Life, watcher: WorldWatcher): WorldWatcher['onRequest'] {
    return (request, number) => {
      watcher.onRequest(request, number)
      const ids = request.method === 'POST' ? request.body.matchAll(/"newClientOrderId":"([^"]+)"/g) : []
      // What a dead one asks for does not travel.
      for (const [, id = ''] of ids)
        if (life.isAlive && life.journal.hasUnwritten(id)) watcher.onUnwritten(id)
    }
  }

  async #create(life: Life): Promise<Bot> {
    const { execution, snapshotEntries = 60, random, risk, account, accounts } = this.#options
    const { aheadMs, clockSteps, passageOf, watcher } = this.#options
    const isMeasured = aheadMs !== undefined || clockSteps !== undefined
    const venue = await worldVenue({
      exchange: this.exchange,
      dialect: this.#options.exchange?.dialect ?? 'document',
      clock: this.clock,
      isAlive: () => life.isAlive,
      onMoment: moment => this.#pass(moment),
      machine: isMeasured ? { aheadMs: aheadMs ?? 0, clockSteps: clockSteps ?? [] } : undefined,
      random,
      passageOf,
      watcher: watcher && { ...watcher, onRequest: this.#checkedAgainst(life, watcher) },
      nextRequest: () => ++this.#requests,
    })
    return await createBot({
      config: {
        ...{ bot: this.setup.bot, risk, account, accounts, polling: POLLING },
        instruments: toldRules(this.exchange),
        execution: { ...EXECUTION, ...execution },
      },
      venue,
      strategies: this.traded.map(({ risk, ...traded }, index) => ({
        ...traded,
        ...{ file: index === 0 ? '' : `${index}`, ...(risk !== undefined && { risk }) },
        ...{ interval: DECISION_INTERVAL, size: { base: 1 } },
      })),
      log: createBotLog({
        level: 'debug',
        readable: false,
        stream: { write: line => life.isAlive && this.#logLines.push(line) },
      }),
      journal: life.journal,
      snapshotEntries,
      ...(random !== undefined && { random }),
    })
  }
}

function exchangeOf({ klines, maxVolume }: WorldOptions): SimulatorConfigInput {
  return {
    listings: [
      {
        symbol: SYMBOL,
        quantityPrecision: 3,
        market: { type: 'klines', klines },
        ...(maxVolume !== undefined && { maxVolume }),
      },
      { symbol: 'ETH/USDT' },
    ],
    accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '10000' } }],
    // Nobody trades contracts here.
    futures: { contracts: [] },
  }
}

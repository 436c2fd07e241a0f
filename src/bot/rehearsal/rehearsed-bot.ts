import { createExchangeClient } from '../../exchange/exchange-client.ts'
import { Journal } from '../../journal/journal.ts'
import { createSimulatedExchange, type SimulatedExchange } from '../../simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../simulator/simulator-config.ts'
import { defineStrategy, enterLong, exit } from '../../strategy/index.ts'
import type { Bot } from '../bot.ts'
import { createBotLog } from '../bot-log.ts'
import { type Accounts, accountsOf } from '../config/account-fields.ts'
import { type BotConfig, botConfigSchema } from '../config/bot-config.ts'
import { createBot } from '../create-bot.ts'
import { exchangeSetupOf } from '../exchange-setup.ts'
import { type SimulatedVenueConfig, simulatorInput } from '../simulator-input.ts'
import { VirtualClock } from '../virtual-clock.ts'
import { inProcessTransport } from './in-process-transport.ts'

const [SECOND, MINUTE] = [1000, 60_000]
const START = Date.UTC(2026, 0, 1)
/** A kline is asked for so long after its close, and all that follows from it at once is over so long after that, ms. */
const [KLINE_DELAY_MS, AFTER_CALL_MS] = [50, 10]
/** So much, in quote, that no price makes an order too small or the money go out. */
const [ORDER, MONEY] = [1000, 1_000_000_000]
const ENTRIES = 1000

/** Enters at one kline, protected, and leaves at the next. */
const rehearsed = defineStrategy({
  name: 'rehearsed',
  onKline: (_kline, { position }) =>
    position.direction === 'flat' ? enterLong({ stopLoss: { fraction: 0.9 } }) : exit(),
})

/** What a rehearsed bot is made of. */
interface RehearsedParts {
  readonly bot: Bot
  readonly clock: VirtualClock
  readonly exchange: SimulatedExchange
}

/**
 * A small bot that trades one instrument of each account that a real bot trades on, at a simulated exchange of its own, on
 * virtual time: without sockets, files or log, and knowing nothing of the real one. It decides at every close of a minute, by
 * the same code that decides in the real one.
 */
export class RehearsedBot {
  readonly #parts: RehearsedParts
  #minute: number
  #failure: { readonly error: unknown } | undefined

  /** Wires one and lets it begin to trade. */
  static async create(accounts: Accounts): Promise<RehearsedBot> {
    const config = configFor(accounts)
    const clock = new VirtualClock(START, 1)
    const exchange = exchangeOf(config)
    const client = createExchangeClient({
      transport: inProcessTransport(exchange, clock),
      // Nothing listens there, and nothing is sent there.
      spotUrl: 'http://127.0.0.1:1',
      futuresUrl: 'http://127.0.0.1:2',
      ...{ apiKey: TEST_ACCOUNT.apiKey, apiSecret: TEST_ACCOUNT.apiSecret, clock },
      timeOffset: () => 0,
    })
    const journal = new Journal('rehearsal', { keepEntries: ENTRIES, isKept: false })
    const { spot, margin, futures, account } = client
    const bot = await clock.passUntil(
      createBot({
        config,
        venue: {
          description: 'rehearsal',
          ...{ clock, spot, margin, account },
          ...(accounts.futures !== undefined && { futures }),
          serverNow: () => clock.now(),
          close: () => client.close(),
        },
        strategies: config.strategies.map(entry => ({ ...entry, strategy: rehearsed })),
        log: createBotLog({ level: 'silent', readable: false, stream: { write: () => {} } }),
        journal,
        snapshotEntries: ENTRIES,
      }),
      10,
    )
    return new RehearsedBot({ bot, clock, exchange })
  }

  private constructor(parts: RehearsedParts) {
    this.#parts = parts
    this.#minute = Math.floor(parts.clock.now() / MINUTE)
    parts.bot.start(error => {
      this.#failure = { error }
    })
  }

  /** What it trades at. */
  get exchange(): SimulatedExchange {
    return this.#parts.exchange
  }

  /** Lets a minute pass, up to the moment before the next kline is asked for; rejects where the bot trades no more. */
  async comeToClose(): Promise<void> {
    this.#minute++
    await this.#advance(-1)
  }

  /** From the answer that closes a kline to that which accepts the order it leads to, on each account; rejects where the bot trades no more. */
  async playClose(): Promise<void> {
    await this.#advance(AFTER_CALL_MS)
  }

  /** To so long after the call for the next kline, ms. */
  async #advance(afterMs: number): Promise<void> {
    await this.#parts.clock.advanceTo(this.#minute * MINUTE + KLINE_DELAY_MS + afterMs)
    if (this.#failure !== undefined) throw this.#failure.error
  }
}

/** One instrument for each kind of account; it is asked for little besides. */
function configFor({ spot, margin, futures }: Accounts): BotConfig {
  const [onSpot, onMargin, contract] = ['BTC/USDT', 'ETH/USDT', 'E-BTC-USDT']
  const symbols = [
    ...(spot === undefined ? [] : [onSpot]),
    ...(margin === undefined ? [] : [onMargin]),
    ...(futures === undefined ? [] : [contract]),
  ]
  const balances = { USDT: MONEY }
  return botConfigSchema.parse({
    bot: 'rehearsal',
    venue: { type: 'simulated', historyKlines: 10, balances },
    accounts: {
      ...(spot !== undefined && { spot: {} }),
      ...(margin !== undefined && {
        margin: { balances, ...(spot !== undefined && { symbols: [onMargin] }) },
      }),
      ...(futures !== undefined && { futures }),
    },
    strategies: symbols.map(symbol => ({
      file: 'rehearsed',
      symbol,
      interval: '1m',
      size: { quote: ORDER },
    })),
    execution: { pollOrdersMs: 20 * SECOND },
    polling: { klineDelayMs: KLINE_DELAY_MS, tickerMs: 20 * SECOND, balancesMs: 30 * SECOND },
  })
}

function exchangeOf(config: BotConfig): SimulatedExchange {
  const venue = config.venue as SimulatedVenueConfig // `configFor` makes no other
  const accounts = accountsOf(config)
  const setup = exchangeSetupOf(venue, config.strategies, accounts, undefined)
  return createSimulatedExchange({
    ...simulatorInput(venue, setup, accounts, undefined),
    limits: { areEnforced: false },
    keptInputs: 0,
  })
}

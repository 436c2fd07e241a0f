import type { Bot } from '../../src/bot/bot.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import type { JournalWriter } from '../../src/journal/journal.ts'
import { LiveWindow } from '../../src/web/sources/live-window.ts'
import { VIEWS } from '../../src/web/sources/views.ts'
import { LiveBot } from '../live-bot.ts'
import type { DistantExchange } from './distant-exchange.ts'
import { restless } from './restless.ts'
import { chooser, ladder, turner, waiter } from './week-strategies.ts'

const START = Date.UTC(2026, 0, 5)
const MINUTE = 60_000
const TRADED = { parameters: {}, interval: '1m', size: { quote: 1000 } } as const
/** Every so often somebody else does something on the account, ms. */
const OTHERS_EVERY_MS = 7 * MINUTE + 333

/** How lively a week is. */
export interface WeekPace {
  /** Quotes that rest on either side of one market. */
  readonly levels: number
  /** Entries that wait for their price in another, replaced with every kline. */
  readonly waiting: number
  /** How often prices and orders are asked for, ms. */
  readonly pollMs: number
  readonly snapshotEntries: number
  /** True for a bot with a window whose views are read every ten minutes. */
  readonly isWatched?: boolean
}

/**
 * A bot with five strategies on a spot and a futures account, which uses all that orders and feeds can be; calls fail now and
 * then, somebody else trades on the account, and an operator asks how things are.
 */
export class WeekBot {
  readonly #live: LiveBot
  readonly #window: LiveWindow | undefined
  #placed = 0
  /** Hears every line of the log. */
  onLine: (line: string) => void = () => undefined

  constructor(exchange: DistantExchange, journal: JournalWriter, pace: WeekPace) {
    const { levels, waiting, pollMs, snapshotEntries, isWatched = false } = pace
    if (isWatched) this.#window = new LiveWindow({ bot: 'week', serverNow: () => this.#live.clock.now() })
    this.#live = new LiveBot({
      bot: 'week',
      startAt: START,
      exchange,
      accounts: { spot: {}, futures: { leverage: 5, marginMode: 'cross', positionMode: 'oneWay' } },
      risk: {
        limits: { maxNotional: amountOf('100000'), maxWorkingOrders: 200 },
        protections: { cooldownAfterStop: { mode: 'reducing', pauseMs: MINUTE } },
      },
      execution: { orderTimeoutMs: 2000, pollOrdersMs: pollMs },
      polling: { tickerMs: pollMs, balancesMs: MINUTE, staleAfterMs: 3 * MINUTE },
      strategies: [
        { ...TRADED, file: 'restless', strategy: restless, symbol: 'BTC/USDT' },
        { ...TRADED, file: 'ladder', strategy: ladder, symbol: 'ETH/USDT', parameters: { levels } },
        { ...TRADED, file: 'chooser', strategy: chooser, symbol: 'XRP/USDT' },
        { ...TRADED, file: 'turner', strategy: turner, symbol: 'E-BTC-USDT' },
        { ...TRADED, file: 'waiter', strategy: waiter, symbol: 'BTC/USDT', parameters: { waiting } },
      ],
      level: 'info',
      lines: { write: line => this.onLine(line) },
      journal,
      snapshotEntries,
      observer: this.#window?.observer,
      onRequest: ({ method, url }) => {
        if (method === 'POST' && url.endsWith('/order')) this.#placed++
      },
    })
  }

  /** Orders sent to the exchange so far, those of the other one as well. */
  get placed(): number {
    return this.#placed
  }

  async start(): Promise<void> {
    const bot = await this.#live.start()
    this.#watch(bot)
    const { clock } = this.#live
    const disturb = (count: number) => {
      clock.schedule(OTHERS_EVERY_MS, () => disturb(count + 1))
      void bot.operate({ command: 'status' })
      this.#meddle(count).catch(() => undefined)
    }
    disturb(1)
  }

  /** Lets time pass. */
  async run(ms: number): Promise<void> {
    await this.#live.runTo(this.#live.clock.now() + ms)
  }

  /** Reads every view as pages do, time and again. */
  #watch(bot: Bot): void {
    const [window, { clock }] = [this.#window, this.#live]
    if (window === undefined) return
    window.show(bot)
    const read = () => {
      clock.schedule(10 * MINUTE, read)
      for (const view of Object.keys(VIEWS)) void window.read(view, {}).then(found => JSON.stringify(found))
    }
    read()
  }

  /** Another client: rests an order for some minutes, and buys now and then. Its failures do not matter. */
  async #meddle(count: number): Promise<void> {
    const { clock, client } = this.#live
    const clientOrderId = `hand-${count}`
    const order = { symbol: 'BTC/USDT', side: 'buy', quantity: '0.02', clientOrderId } as const
    await client.spot.placeOrder({ ...order, type: 'limit', price: '500' })
    const { symbol } = order
    clock.schedule(3 * MINUTE, () => {
      client.spot.cancelOrder({ symbol, clientOrderId }).catch(() => undefined)
    })
    const bought = { ...order, symbol: 'XRP/USDT', clientOrderId: `${clientOrderId}-now` }
    if (count % 9 === 0) await client.spot.placeOrder({ ...bought, type: 'ioc', price: '5000' })
  }
}

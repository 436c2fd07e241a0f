import { createBotLog } from '../../src/bot/bot-log.ts'
import { createBot } from '../../src/bot/create-bot.ts'
import { VirtualClock } from '../../src/bot/virtual-clock.ts'
import { createExchangeClient } from '../../src/exchange/exchange-client.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { EXECUTION } from '../bot/execution.ts'
import { POLLING } from '../bot/polling.ts'
import { inProcessTransport } from '../in-process-transport.ts'
import { restless } from './restless.ts'

const START = Date.UTC(2026, 0, 1)
const MINUTE = 60_000

/** A whole bot on virtual time, and how to end it. */
export interface VirtualBot {
  readonly clock: VirtualClock
  /** Orders that the exchange was sent so far. */
  readonly orders: () => number
  /** Throws what the bot could not trade on after. */
  check(): void
}

/** Starts a bot that trades generated 1-minute markets at a simulated exchange in this process. */
export async function virtualBot(symbols: readonly string[], journal: Journal): Promise<VirtualBot> {
  const clock = new VirtualClock(START)
  const exchange = createSimulatedExchange({
    listings: symbols.map(symbol => ({ symbol, market: { type: 'generated', historyKlines: 60 } })),
    accounts: [{ ...TEST_ACCOUNT, balances: { USDT: '100000000' } }],
    keptInputs: 0,
    keptRecords: 1000,
  })
  let orders = 0
  const carry = inProcessTransport(exchange, clock)
  const { spot, account } = createExchangeClient({
    spotUrl: 'http://127.0.0.1',
    apiKey: TEST_ACCOUNT.apiKey,
    apiSecret: TEST_ACCOUNT.apiSecret,
    clock,
    transport: request => {
      if (request.url.endsWith('/sapi/v2/order')) orders++
      return carry(request)
    },
  })
  const bot = await createBot({
    config: {
      bot: 'week',
      execution: EXECUTION,
      polling: { ...POLLING, tickerMs: 15_000, balancesMs: MINUTE },
    },
    venue: { description: 'week', clock, spot, account, serverNow: () => clock.now(), close: async () => {} },
    strategies: symbols.map(symbol => ({
      file: 'restless',
      strategy: restless,
      parameters: {},
      symbol,
      interval: '1m',
      size: { quote: 1000 },
    })),
    log: createBotLog({ level: 'info', readable: false, stream: { write: () => {} } }),
    journal,
  })
  let failure: { readonly error: unknown } | undefined
  bot.start(error => {
    failure ??= { error }
  })
  const check = () => {
    if (failure !== undefined) throw failure.error
  }
  return { clock, orders: () => orders, check }
}

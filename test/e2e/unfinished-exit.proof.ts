import { describe, expect, it } from 'vitest'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { createSystemClock } from '../../src/exchange/clock/system-clock.ts'
import { createExchangeClient } from '../../src/exchange/exchange-client.ts'
import { readBalances } from '../../src/execution/reconciliation/read-balances.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { journalPath } from '../journal/journal-session.ts'
import { servedExchange } from './served-exchange.ts'
import { fileWith, SluiceProcess, strategyFile } from './sluice-process.ts'

const KEYS = { SLUICE_API_KEY: TEST_ACCOUNT.apiKey, SLUICE_API_SECRET: TEST_ACCOUNT.apiSecret }
const FIRST_CLOSE_MS = 15_000

/** Buys on its first kline, and says once, when that has filled, that it leaves. */
const LEAVER = `(_kline, { orders, position }) => (position.direction === 'flat' && orders.length === 0 ? enterLong() : undefined),
  state: () => ({ hasLeft: false }),
  onFill: (_fill, { state }) => {
    if (state.hasLeft) return undefined
    state.hasLeft = true
    return exit()
  }`

describe('an exit that the exchange refuses', () => {
  it('is sent again by a bot that was killed meanwhile, over HTTP and from its journal', async () => {
    const system = createSystemClock()
    const shift = 60_000 - FIRST_CLOSE_MS - (system.now() % 60_000)
    const clock = { now: () => system.now() + shift, schedule: system.schedule }
    // The first order is the entry; the exit is refused twice.
    const refused = { fault: 'refused' as const, endpoint: 'spotNewOrder', calls: [2, 3] }
    const spotUrl = await servedExchange({ seed: 7, faults: [refused] }, clock)
    const client = createExchangeClient({ spotUrl, ...TEST_ACCOUNT, clock })
    const base = async () => (await readBalances(client.account, new Set(['BTC']))).get('BTC') ?? 0n
    const before = await base()
    const config = fileWith(
      'bot.yaml',
      `venue: { type: exchange, spotUrl: ${JSON.stringify(spotUrl)}, recvWindowMs: 2000 }
strategies: [{ file: ${JSON.stringify(strategyFile('leaver', LEAVER))}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
execution: { pollOrdersMs: 50, settlementMarginMs: 500 }
polling: { tickerMs: 500, balancesMs: 2000 }
journal: { file: ${JSON.stringify(journalPath())} }
log: { level: debug }
`,
    )
    const start = () => new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'], KEYS)
    const killed = start()
    await killed.line('order rejected')
    killed.signal('SIGKILL')
    await killed.exitCode
    const bot = start()
    await bot.line('order rejected')
    await bot.line('round trip closed')
    bot.signal('SIGTERM')
    expect(await bot.exitCode).toBe(0)
    const orders = []
    for await (const { side, status } of client.spot.allHistoryOrders({ symbol: 'BTC/USDT' }))
      orders.push(`${side} ${status}`)
    expect(killed.out).not.toContain('round trip closed')
    expect(orders.toSorted()).toEqual(['buy filled', 'sell filled'])
    // A fee in base is less than a step, which is all that stays.
    const [left, step] = [(await base()) - before, amountOf('0.00001')]
    expect(left >= 0n && left < step).toBe(true)
    await client.close()
  }, 60_000)
})

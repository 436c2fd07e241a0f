import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { loadStrategy } from '../../../src/bot/start/load-strategy.ts'
import { BotState } from '../../../src/bot/state/bot-state.ts'
import { restoreState } from '../../../src/bot/state/restore-state.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import { createExchangeClient, type ExchangeClient } from '../../../src/exchange/exchange-client.ts'
import { readBalances } from '../../../src/execution/reconciliation/read-balances.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { shiftedExchange } from '../../e2e/served-exchange.ts'
import { fileWith, SluiceProcess, strategyFile } from '../../e2e/sluice-process.ts'
import { journalPath } from '../../journal/journal-session.ts'

/** How often a bot is killed; 200 is the long proof. */
const KILLS = Number(process.env.SLUICE_KILL_POINTS ?? 3)
const KEYS = { SLUICE_API_KEY: TEST_ACCOUNT.apiKey, SLUICE_API_SECRET: TEST_ACCOUNT.apiSecret }
const FIRST_CLOSE_MS = 15_000

/** Begins at a kline, and then trades as fast as fills come: what is killed is nearly always in the middle of an order. */
const RESTLESS = `({ close }, { position, orders }) => (orders.length > 0 ? undefined : position.direction === 'flat' ? enterLong({ stopLoss: close / 2 }) : exit()),
  onFill: (_fill, { position }) => (position.direction === 'flat' ? enterLong({ stopLoss: { fraction: 0.5 } }) : exit()),
  onOrder: ({ status, purpose }, { position }) =>
    (purpose !== 'entry' && purpose !== 'exit') || (status !== 'expired' && status !== 'rejected') ? undefined
      : position.direction === 'flat' ? enterLong() : exit()`

/** Says what is booked of the account otherwise than the exchange has it. */
async function differences(client: ExchangeClient, ledger: Ledger): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { clientOrderId = '' } of client.spot.allHistoryOrders({ symbol: 'BTC/USDT' }))
    ids.push(clientOrderId)
  const trades: string[] = []
  for await (const { id } of client.spot.allMyTrades({ symbol: 'BTC/USDT' })) trades.push(id)
  const booked = ledger.orders.remembered.flatMap(({ request }) =>
    ledger.orders.fillsOf(request.clientOrderId),
  )
  const balances = [...(await readBalances(client.account, new Set(['BTC', 'USDT'])))]
  return [
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map(id => `two orders have the id ${id}`),
    ...trades.filter(id => !booked.includes(id)).map(id => `trade ${id} is not booked`),
    ...booked.filter((id, index) => booked.indexOf(id) !== index).map(id => `trade ${id} is booked twice`),
    ...balances
      .filter(([asset, amount]) => (ledger.balances.of(asset) ?? amountOf('0')) !== amount)
      .map(([asset]) => `the balance of ${asset} differs`),
  ]
}

describe('a bot whose process is killed', () => {
  it(
    `at ${KILLS} random moments, with real HTTP and a real journal, ends with the books of the exchange`,
    async () => {
      const { spotUrl, clock } = await shiftedExchange(FIRST_CLOSE_MS)
      const journal = journalPath()
      const file = strategyFile('restless', RESTLESS)
      const config = fileWith(
        'bot.yaml',
        `venue: { type: exchange, spotUrl: ${JSON.stringify(spotUrl)}, recvWindowMs: 2000 }
strategies: [{ file: ${JSON.stringify(file)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
execution: { pollOrdersMs: 50, settlementMarginMs: 500 }
polling: { tickerMs: 500, balancesMs: 2000 }
journal: { file: ${JSON.stringify(journal)}, snapshotEntries: 100 }
log: { level: debug }
`,
      )
      const random = seededRandom(KILLS).uniform
      const start = () => new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'], KEYS)
      const said: string[] = []
      let bot = start()
      await bot.line('"fill"')
      for (let kill = 0; kill < KILLS; kill++) {
        await sleep(random() * 600)
        bot.signal('SIGKILL')
        await bot.exitCode
        said.push(bot.out)
        bot = start()
        // Some die while they recover, most while they trade.
        await bot.line(random() < 0.2 ? 'starting' : '"fill"')
      }
      // Before that it has nothing to leave in order.
      await bot.line('"trading"')
      bot.signal('SIGTERM')
      expect(await bot.exitCode).toBe(0)
      said.push(bot.out)
      const log = said.join('\n')
      for (const message of [
        'adopted from the exchange',
        'foreign',
        'leftover',
        'late order',
        'halted',
        'unconfirmed',
      ])
        expect(log).not.toContain(message)
      const state = new BotState(loadStrategy)
      await restoreState(journal, state)
      const client = createExchangeClient({ spotUrl, ...TEST_ACCOUNT, clock })
      expect(await differences(client, state.engine.ledger)).toEqual([])
      expect(await client.spot.openOrders({ symbol: 'BTC/USDT' })).toEqual([])
      await client.close()
      const replay = spawnSync(process.execPath, ['src/main.js', 'replay', journal], { encoding: 'utf8' })
      // Who died before the journal was open began no session.
      const sessions = Number(/of (\d+) sessions/.exec(replay.stdout)?.[1])
      expect(sessions).toBeGreaterThan(KILLS / 2)
      expect(sessions).toBeLessThanOrEqual(KILLS + 1)
      expect(replay.stdout).toContain('every decision is the same')
    },
    60_000 + KILLS * 20_000,
  )
})

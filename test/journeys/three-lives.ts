import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { addedUp } from '../e2e/added-up.ts'
import { fileWith, SluiceProcess } from '../e2e/sluice-process.ts'

const ROOT = join(import.meta.dirname, '../..')
const KEYS = { SLUICE_API_KEY: TEST_ACCOUNT.apiKey, SLUICE_API_SECRET: TEST_ACCOUNT.apiSecret }

/** Buys for 1000 at the first ticker with a stop-loss and a take-profit far away, and bids for 1000 more far below. */
const HOLDER = `import { defineStrategy, enterLong, ticker } from ${JSON.stringify(join(ROOT, 'src/strategy/index.ts'))}
export default defineStrategy({
  name: 'holder',
  feeds: () => ({ quote: ticker({ everyMs: 1000 }) }),
  state: () => ({ begun: false }),
  on: {
    quote({ bid }, { state }) {
      if (state.begun || bid === undefined) return
      state.begun = true
      return [
        enterLong({ stopLoss: { fraction: 0.4 }, takeProfit: { fraction: 0.4 } }),
        enterLong({ order: { type: 'limit', price: bid * 0.7 }, scaleIn: true, keep: true, tag: 'low' }),
      ]
    },
  },
})
`

interface Status {
  readonly positions: Readonly<Record<string, string>>
  readonly orders: readonly {
    readonly purpose: string
    readonly type: string
    readonly quantity: string
    readonly prices: readonly number[]
  }[]
  readonly equity: { readonly USDT: string }
  readonly held: readonly { readonly base: string; readonly markPrice: string }[]
}

async function statusOf(config: string): Promise<Status> {
  const command = new SluiceProcess(['src/main.js', 'bot', 'status', '--json', '--config', config])
  expect([await command.exitCode, command.err]).toEqual([0, ''])
  return JSON.parse(command.out).status
}

const ordersOf = ({ orders }: Status) =>
  orders
    .map(({ purpose, type, quantity, prices }) => `${purpose} ${type} ${quantity} at ${prices.join()}`)
    .sort()

/** What a bot says where its books and the exchange are not the same. */
const DISAGREEMENTS = /balance adopted|foreign trade|holds less of a position|leftover order|halted/

/**
 * Starts a bot on an exchange of its own process, kills it, starts and stops it, and starts it again: it must hold what it held, with
 * the same orders, and its equity must be what its fills add up to. `account` is that of its configuration.
 */
export async function expectThreeLives(account: string): Promise<void> {
  const server = new SluiceProcess(['src/main.js', 'exchange', '--json', '--seed', '3'])
  const { spotUrl, futuresUrl } = JSON.parse(await server.line('spotUrl'))
  const strategy = fileWith('holder.ts', HOLDER)
  const journal = join(dirname(strategy), 'bot.journal')
  const config = fileWith(
    'bot.yaml',
    `venue: { type: exchange, spotUrl: ${JSON.stringify(spotUrl)}, futuresUrl: ${JSON.stringify(futuresUrl)} }
${account}
execution: { onStop: keep }
journal: { file: ${JSON.stringify(journal)} }
control: { socket: ${JSON.stringify(join(dirname(strategy), 'bot.sock'))} }
strategies: [{ file: ${JSON.stringify(strategy)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
`,
  )
  const start = () => new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'], KEYS)

  const killed = start()
  await killed.line('"purpose":"takeProfit"')
  await killed.line('"tag":"low"')
  const before = await statusOf(config)
  expect(before.orders.map(({ purpose }) => purpose).sort()).toEqual(['entry', 'stopLoss', 'takeProfit'])
  killed.signal('SIGKILL')
  expect(await killed.exitCode).toBeNull()

  const stopped = start()
  await stopped.line('"msg":"trading"')
  const after = await statusOf(config)
  expect([after.positions, ordersOf(after)]).toEqual([before.positions, ordersOf(before)])
  stopped.signal('SIGTERM')
  expect([await stopped.exitCode, stopped.err]).toEqual([0, ''])

  const last = start()
  await last.line('"msg":"trading"')
  const end = await statusOf(config)
  expect([end.positions, ordersOf(end)]).toEqual([before.positions, ordersOf(before)])
  last.signal('SIGTERM')
  expect([await last.exitCode, last.err]).toEqual([0, ''])
  const lines = [killed, stopped, last].flatMap(bot => bot.lines)
  expect(lines.filter(line => DISAGREEMENTS.test(line))).toEqual([])
  const { quote, base, fills } = addedUp(journal, 10_000, 0)
  expect([fills, Number(end.held[0]?.base)]).toEqual([1, expect.closeTo(base, 4)])
  expect(Number(end.equity.USDT)).toBeCloseTo(quote + base * Number(end.held[0]?.markPrice), 4)
}

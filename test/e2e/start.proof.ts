import { describe, expect, it } from 'vitest'
import { createExchangeClient } from '../../src/exchange/exchange-client.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { besideOthers } from '../after-test.ts'
import { journalPath } from '../journal/journal-session.ts'
import { shiftedExchange } from './served-exchange.ts'
import { fileWith, SluiceProcess, strategyFile } from './sluice-process.ts'
import { KEYS, objectsOn, paper, SUMMARY, saidUntil } from './started-bot.ts'

/** Time that the bot has before the first minute of its exchange ends. */
const FIRST_CLOSE_MS = 8000

describe.concurrent('sluice start on the simulated exchange', () => {
  it(
    'counts in its summary what its log tells',
    besideOthers(async () => {
      const file = strategyFile(
        'flipper',
        `(_kline, { position }) => (position.direction === 'flat' ? enterLong() : exit())`,
      )
      const config = fileWith(
        'bot.yaml',
        `venue: { type: simulated, speed: 120 }
strategies: [{ file: ${JSON.stringify(file)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
log: { level: debug }
`,
      )
      const objects = await saidUntil('"msg":"fill"', 6, config)
      const said = (message: string) => objects.filter(({ msg }) => msg === message).length
      expect(objects.at(-1)).toEqual({
        ...SUMMARY,
        signals: said('signal'),
        denials: said('order denied'),
        orders: said('order submitted'),
        fills: said('fill'),
        roundTrips: said('round trip closed'),
      })
      expect(said('fill')).toBeGreaterThan(5)
    }),
  )
})

describe.concurrent('sluice start with the journal of another venue', () => {
  it(
    'refuses to trade a paper position on a real exchange, and calls nothing there',
    besideOthers(async () => {
      const file = strategyFile(
        'holder',
        `(_kline, { position }) => (position.direction === 'flat' ? enterLong() : [])`,
      )
      const journal = journalPath()
      const start = (venue: string, ...more: readonly string[]) => {
        const config = fileWith(
          'bot.yaml',
          `venue: ${venue}
strategies: [{ file: ${JSON.stringify(file)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
journal: { file: ${JSON.stringify(journal)} }
`,
        )
        return new SluiceProcess(['src/main.js', 'start', '--config', config, '--json', ...more], KEYS)
      }
      expect(await start('{ type: simulated, speed: 300 }', '--stop-after', '2s').exitCode).toBe(0)
      const live = start('{ type: exchange, spotUrl: "http://127.0.0.1:1" }')
      expect(await live.exitCode).toBe(2)
      expect(live.err).toContain(
        `The journal ${journal} belongs to a simulated exchange, but the configuration trades on a real exchange ("venue.type: exchange"): its positions and orders are not on this account. Name another file in "journal" for this one.`,
      )
    }),
  )
})

describe.concurrent('sluice start on futures and on margin', () => {
  it(
    'trades config/paper-futures.yaml over HTTP, and says what becomes of its stops',
    besideOthers(async () => {
      const objects = await saidUntil('"msg":"kline"', 3, paper('paper-futures.yaml'))
      expect(objects.at(-1)).toEqual(SUMMARY)
      expect(objects.at(-1)?.klines).toBeGreaterThanOrEqual(3)
      const said = objects.map(({ msg }) => String(msg))
      expect(said).toContain('contract is set up')
      expect(said.some(message => message.startsWith('protective stops wait in this process'))).toBe(true)
    }),
  )

  it(
    'trades config/paper-margin.yaml over HTTP, and says what nobody can verify',
    besideOthers(async () => {
      const objects = await saidUntil('"msg":"kline"', 3, paper('paper-margin.yaml'))
      expect(objects.at(-1)).toEqual(SUMMARY)
      expect(objects.at(-1)?.klines).toBeGreaterThanOrEqual(3)
      expect(objects.find(({ msg }) => msg === 'account')?.balances).toEqual({ USDT: '10000', BTC: '0.05' })
      const [unverified, ...more] = objects.filter(({ msg }) => msg === 'margin balances are unverified')
      expect(unverified).toMatchObject({ declared: '0.05 BTC and 10000 USDT' })
      expect(more).toEqual([])
    }),
  )

  it(
    'buys, sells and sells short on margin over HTTP with what it owns',
    besideOthers(async () => {
      const file = strategyFile(
        'turner',
        `({ close }, { position }) => {
        if (position.direction === 'flat') return enterLong()
        return position.direction === 'long' ? [exit(), enterShort()] : exit()
      }`,
      )
      const config = fileWith(
        'bot.yaml',
        `venue: { type: simulated, speed: 120 }
account: { type: margin, balances: { USDT: 5000, BTC: 1 } }
strategies: [{ file: ${JSON.stringify(file)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
`,
      )
      const objects = await saidUntil('"msg":"fill"', 6, config)
      expect(objects.filter(({ msg }) => String(msg).includes('denied'))).toEqual([])
      expect(objects.at(-1)).toMatchObject({ rejections: 0, denials: 0 })
      const fills = objects.filter(({ msg }) => msg === 'fill').map(({ side }) => side)
      expect(fills.length).toBeGreaterThan(5)
      expect(new Set(fills)).toEqual(new Set(['buy', 'sell']))
    }),
  )
})

describe.concurrent('sluice start on an exchange in another process', () => {
  it.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'leaves no order open at %s, and ends with exit code 0',
    besideOthers(async name => {
      const { spotUrl, clock } = await shiftedExchange(FIRST_CLOSE_MS)
      const file = strategyFile(
        'bidder',
        `({ close }) => enterLong({ order: { type: 'limit', price: close * 0.9 } })`,
      )
      const config = fileWith(
        'bot.yaml',
        `venue: { type: exchange, spotUrl: ${JSON.stringify(spotUrl)} }
strategies: [{ file: ${JSON.stringify(file)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
`,
      )
      const bot = new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'], KEYS)
      await bot.line('order open')
      const client = createExchangeClient({ spotUrl, ...TEST_ACCOUNT, clock })
      expect(await client.spot.openOrders({ symbol: 'BTC/USDT' })).toHaveLength(1)
      bot.signal(name)
      if (name === 'SIGHUP') {
        // The kernel and the shell both signal a terminal that closes.
        await bot.line('"msg":"shutting down"')
        bot.signal(name)
      }
      expect(await bot.exitCode).toBe(0)
      expect(await client.spot.openOrders({ symbol: 'BTC/USDT' })).toEqual([])
      const balances = await client.account.balances()
      expect(balances.map(({ locked }) => locked.toString())).toEqual(balances.map(() => '0'))
      await client.close()
      const objects = objectsOn(bot.lines)
      expect(objects.at(-1)).toEqual({ ...SUMMARY, klines: 1, signals: 1, orders: 1, fills: 0 })
      expect(objects).toContainEqual(expect.objectContaining({ msg: 'shutting down', reason: name }))
      expect(bot.out + bot.err).not.toContain(TEST_ACCOUNT.apiSecret)
      expect(bot.err).toBe('')
    }),
  )

  it(
    'refuses the name of a bot that trades the account already, and cancels nothing of it',
    besideOthers(async () => {
      const { spotUrl, clock } = await shiftedExchange(FIRST_CLOSE_MS)
      const file = strategyFile(
        'bidder',
        `({ close }) => enterLong({ order: { type: 'limit', price: close * 0.9 } })`,
      )
      const config = () =>
        fileWith(
          'bot.yaml',
          `venue: { type: exchange, spotUrl: ${JSON.stringify(spotUrl)} }
control: { socket: ${JSON.stringify(`${journalPath()}.sock`)} }
strategies: [{ file: ${JSON.stringify(file)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
log: { level: debug }
`,
        )
      const first = new SluiceProcess(['src/main.js', 'start', '--config', config(), '--json'], KEYS)
      await first.line('order open')
      const second = new SluiceProcess(['src/main.js', 'start', '--config', config(), '--json'], KEYS)
      expect(await second.exitCode).toBe(2)
      expect(second.err).toMatch(/^Another process on this machine trades this account under the name "/)
      const client = createExchangeClient({ spotUrl, ...TEST_ACCOUNT, clock })
      expect(await client.spot.openOrders({ symbol: 'BTC/USDT' })).toHaveLength(1)
      await client.close()
      first.signal('SIGTERM')
      expect(await first.exitCode).toBe(0)
    }),
  )
})

import { describe, expect, it } from 'vitest'
import { besideOthers } from '../after-test.ts'
import { fileWith, SluiceProcess } from './sluice-process.ts'
import { KEYS, objectsOn, paper, SUMMARY, saidUntil } from './started-bot.ts'

describe.concurrent('sluice start on the simulated exchange', () => {
  it(
    'trades config/paper.yaml for a while, writes JSON lines, and ends with the summary',
    besideOthers(async () => {
      const objects = await saidUntil('"msg":"kline"', 3, paper('paper.yaml'))
      expect(objects.at(-1)).toEqual(SUMMARY)
      expect(objects.at(-1)?.klines).toBeGreaterThanOrEqual(3)
      expect(objects.slice(0, -1).map(({ msg }) => msg)).toEqual(
        expect.arrayContaining(['starting', 'warmed up', 'account', 'trading', 'shutting down']),
      )
    }),
  )
})

describe.concurrent('sluice start on an exchange in another process', () => {
  it(
    'refuses a symbol that the exchange does not list',
    besideOthers(async () => {
      const exchange = new SluiceProcess(['src/main.js', 'exchange', '--json', '--port', '0'])
      const { spotUrl } = JSON.parse(await exchange.line('spotUrl'))
      const config = fileWith(
        'bot.yaml',
        `venue: { type: exchange, spotUrl: ${JSON.stringify(spotUrl)} }
strategies: [{ file: strategies/sma-cross.ts, symbol: BTC/USDC, interval: 1m, size: { quote: 1000 } }]
`,
      )
      const bot = new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'], KEYS)
      expect(await bot.exitCode).toBe(2)
      expect(bot.err).toBe('The exchange does not list BTC/USDC. Did you mean "BTC/USDT"?\n')
    }),
  )
})

// By itself: the bot must be told before it has got any further.
describe('sluice start, stopped early', () => {
  it('sums up, and has traded nothing, when it is told to leave before it trades', async () => {
    const bot = new SluiceProcess(['src/main.js', 'start', '--config', paper('paper.yaml'), '--json'])
    await bot.line('"msg":"starting"')
    bot.signal('SIGTERM')
    expect(await bot.exitCode).toBe(0)
    const objects = objectsOn(bot.lines)
    expect(objects.at(-1)).toEqual({ ...SUMMARY, klines: 0, orders: 0, fills: 0 })
    expect(objects.map(({ msg }) => msg)).not.toContain('trading')
  })
})

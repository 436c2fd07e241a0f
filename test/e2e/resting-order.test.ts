import { describe, expect, it } from 'vitest'
import { journalPath } from '../journal/journal-session.ts'
import { saidOn } from './said-lines.ts'
import { fileWith, SluiceProcess, strategyFile } from './sluice-process.ts'

describe('a resting order on the built-in exchange', () => {
  it('is still there after the bot was killed, and is followed on instead of placed again', async () => {
    const journal = journalPath()
    const file = strategyFile(
      'bidder',
      `({ close }, { orders }) => orders.length === 0 ? enterLong({ order: { type: 'limit', price: close / 2 } }) : undefined`,
    )
    const config = fileWith(
      'bot.yaml',
      `venue: { type: simulated, speed: 600, seed: 5 }
risk: { limits: { priceBandRate: "0.9" } }
execution: { onStop: keep }
journal: { file: ${JSON.stringify(journal)} }
strategies: [{ file: ${JSON.stringify(file)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
`,
    )
    const args = ['src/main.js', 'start', '--config', config, '--json']
    const bot = new SluiceProcess(args)
    await bot.line('"msg":"order open"')
    bot.signal('SIGKILL')
    await bot.exitCode
    for (let life = 0; life < 2; life++) {
      const next = new SluiceProcess([...args, '--stop-after', '1s'])
      expect(await next.exitCode).toBe(0)
      const said = saidOn(next.lines)
      expect(said.find(({ msg }) => msg === 'restored from the journal')).toMatchObject({ orders: 1 })
      expect(said.filter(({ msg }) => msg?.startsWith('order '))).toEqual([])
      expect(said.at(-1)).toMatchObject({ orders: 0, fills: 0, balances: { USDT: '10000' } })
    }
  })
})

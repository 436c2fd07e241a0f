import { expect, it } from 'vitest'
import { saidOn } from './said-lines.ts'
import { fileWith, SluiceProcess, strategyFile } from './sluice-process.ts'

it('a bot without a journal begins anew at every start, on the money of its configuration, and says so', async () => {
  const file = strategyFile(
    'buyer',
    `(_kline, { position }) => (position.direction === 'flat' ? enterLong() : undefined)`,
  )
  const config = fileWith(
    'bot.yaml',
    `venue: { type: simulated, speed: 600, seed: 5, balances: { USDT: 4321 } }
strategies: [{ file: ${JSON.stringify(file)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
`,
  )
  for (let start = 0; start < 2; start++) {
    const bot = new SluiceProcess(['src/main.js', 'start', '--config', config, '--json'])
    await bot.line('"msg":"fill"')
    bot.signal('SIGTERM')
    expect([await bot.exitCode, bot.err]).toEqual([0, ''])
    const said = saidOn(bot.lines)
    expect(said.find(({ msg }) => msg === 'starting')?.venue).toMatch(
      /, begins anew at every start, because the bot has no journal$/,
    )
    const account = said.find(({ msg }) => msg === 'account')
    expect(account).toMatchObject({ equity: { USDT: '4321' }, balances: { USDT: '4321', BTC: '0' } })
    // It leaves with what the next start must not find.
    expect(Number(said.at(-1)?.balances?.BTC)).toBeGreaterThan(0)
  }
})

import { describe, expect, it } from 'vitest'
import { fileWith, SluiceProcess, strategyFile } from './sluice-process.ts'
import { withPackage } from './with-package.ts'

const configFor = (file: string) =>
  fileWith(
    'bot.yaml',
    `venue: { type: simulated, speed: 300 }
strategies: [{ file: ${JSON.stringify(file)}, symbol: BTC/USDT, interval: 1m, size: { quote: 1000 } }]
`,
  )

describe('a bot whose strategy leaves a promise behind', () => {
  it('stops the strategy when the promise is rejected, and ends in order', async () => {
    const file = strategyFile('forgetful', "() => { void Promise.reject(new Error('Forgotten.')) }")
    const args = ['src/main.js', 'start', '--config', configFor(file), '--stop-after', '3s', '--json']
    const bot = new SluiceProcess(args)
    expect(await bot.exitCode).toBe(0)
    expect(bot.err).toBe('')
    const objects = bot.lines.map(line => JSON.parse(line))
    const stopped = objects.filter(({ msg }) => msg === 'strategy stopped: it threw')
    expect(stopped).toHaveLength(1)
    expect(stopped[0].err.message).toBe(
      'Strategy "forgetful" left a promise behind, which failed: Forgotten. A handler decides before it returns: leave out async, await and then.',
    )
    expect(objects.at(-1)).toMatchObject({ signals: 0, trading: { account: 'active' } })
  })
})

describe('a package that a strategy imports', () => {
  it('does not keep the process alive with a timer', async () => {
    const file = withPackage(
      strategyFile('quiet', '() => undefined'),
      'ticking',
      'setInterval(() => {}, 1000)',
    )
    const schema = ['--symbol', 'BTC/USDT', '--interval', '1h', '--data', candles()]
    const backtest = new SluiceProcess(['src/main.js', 'backtest', file, ...schema])
    expect([await backtest.exitCode, backtest.err]).toEqual([0, expect.any(String)])
    expect(backtest.out).toContain('Buy and hold')
  })

  it('does not keep a bot alive with a timer', async () => {
    const file = withPackage(
      strategyFile('quiet', '() => undefined'),
      'ticking',
      'setInterval(() => {}, 1000)',
    )
    const bot = new SluiceProcess(['src/main.js', 'start', '--config', configFor(file), '--stop-after', '1s'])
    expect([await bot.exitCode, bot.err]).toEqual([0, ''])
    expect(bot.lines).toContain('Summary')
  })
})

/** A day of hours at 100. */
function candles(): string {
  const rows = Array.from({ length: 24 }, (_, hour) => `${Date.UTC(2024, 0, 1, hour)},100,100,100,100,1`)
  return fileWith('flat.csv', `open_time,open,high,low,close,volume\n${rows.join('\n')}\n`)
}

import { renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { fileWith, SluiceProcess } from './sluice-process.ts'

const CONTRACT = JSON.stringify(resolve(import.meta.dirname, '../../src/strategy/index.ts'))
const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)

/** Hourly klines that stand still, each one above the one before, from 100 to 199 and then again. */
function sawCsv(length: number): string {
  const rows = Array.from({ length }, (_, index) => {
    const price = 100 + (index % 100)
    return `${START + index * HOUR},${price},${price},${price},${price},1`
  })
  return `open_time,open,high,low,close,volume\n${rows.join('\n')}\n`
}

/** Buys at 110, and sells at the level that a second file says. */
const STRATEGY = `import { defineStrategy, enterLong, exit } from ${CONTRACT}
import { LEVEL } from './level.ts'
export default defineStrategy({
  name: 'levels',
  onKline(kline, { position }) {
    if (position.direction === 'flat' && kline.close === 110) return enterLong()
    if (position.direction === 'long' && kline.close >= LEVEL) return exit()
  },
})
`
const levelText = (level: number) => `export const LEVEL: number = ${level}\n`
const configText = (balance: number) => `account: { balance: { USDT: ${balance} } }
size: { base: 1 }
instruments: { default: { takerFeeRate: 0 } }
fills: { slippageRate: 0 }
`

/** A backtest that runs whenever one of three files is saved. */
class WatchedBacktest {
  readonly process: SluiceProcess
  readonly #folder = dirname(fileWith('levels.ts', STRATEGY))
  #runs = 0

  constructor({
    klines = 250,
    more = [],
  }: { readonly klines?: number; readonly more?: readonly string[] } = {}) {
    this.save('level.ts', levelText(120))
    this.save('config.yaml', configText(10_000))
    this.save('saw.csv', sawCsv(klines))
    const market = ['--data', this.path('saw.csv'), '--symbol', 'BTC/USDT', '--interval', '1h']
    const config = ['--config', this.path('config.yaml'), '--watch', ...more]
    this.process = new SluiceProcess([
      'src/main.js',
      'backtest',
      this.path('levels.ts'),
      ...market,
      ...config,
    ])
  }

  path(name: string): string {
    return join(this.#folder, name)
  }

  save(name: string, text: string): void {
    writeFileSync(this.path(name), text)
  }

  /** What it says of one more run. */
  async nextRun(): Promise<{ readonly out: string; readonly err: string }> {
    this.#runs++
    const { process } = this
    const waits = () => process.err.split('Waiting for a change of ')
    await vi.waitFor(() => expect(waits().length).toBeGreaterThan(this.#runs), {
      timeout: 20_000,
      interval: 5,
    })
    // The output comes by a pipe of its own, so that its end may still be on the way.
    await vi.waitFor(() => expect(process.out === '' || process.out.endsWith('\n')).toBe(true))
    const said = { out: process.out, err: waits()[this.#runs - 1]?.replace(/^.*Ctrl-C ends\.\n/, '') ?? '' }
    process.out = ''
    return said
  }
}

describe('a watched backtest', () => {
  it('runs again when strategy, import or configuration is saved, and shows what that changed', async () => {
    const backtest = new WatchedBacktest()
    const first = await backtest.nextRun()
    // Bought at 111 and sold at 121, three times.
    expect(first.out).toMatch(/^levels on BTC\/USDT 1h\n/)
    expect(first.out).toMatch(/End equity +10,030\.00 USDT/)
    expect(first.out).not.toContain('Against the run before')
    expect(backtest.process.err).toContain('config.yaml; Ctrl-C ends.')

    backtest.save('level.ts', levelText(130))
    const imported = await backtest.nextRun()
    expect(imported.out).toMatch(
      /Against the run before\n {2}End equity +10,030\.00 USDT → 10,060\.00 USDT\n/,
    )

    backtest.save('levels.ts', STRATEGY.replace('110', '120'))
    expect((await backtest.nextRun()).out).toMatch(/End equity +10,060\.00 USDT → 10,030\.00 USDT\n/)

    backtest.save('config.yaml', configText(20_000))
    expect((await backtest.nextRun()).out).toMatch(/End equity +10,030\.00 USDT → 20,030\.00 USDT\n/)
    backtest.process.signal('SIGINT')
    expect(await backtest.process.exitCode).toBe(0)
  })

  it('tells what is wrong with what was saved, and waits on', async () => {
    const backtest = new WatchedBacktest()
    await backtest.nextRun()
    const saying = async (name: string, text: string) => {
      backtest.save(name, text)
      return backtest.nextRun()
    }
    const broken = await saying('levels.ts', STRATEGY.replace('return exit()', 'retrn exit('))
    expect(broken).toMatchObject({
      out: '',
      err: expect.stringMatching(/levels\.ts cannot be loaded: SyntaxError/),
    })
    const misspelt = await saying('levels.ts', STRATEGY.replace('onKline', 'onKlin'))
    expect(misspelt.err).toContain('has no part "onKlin". Did you mean "onKline"?')
    const throwing = await saying('levels.ts', STRATEGY.replace('return exit()', "throw new Error('oh')"))
    expect(throwing.err).toMatch(/threw in onKline: oh\n +at .*levels\.ts:7:\d+\)\n/)
    const wrong = await saying('config.yaml', 'fills: { pth: ohlc }\n')
    expect(wrong.err).toMatch(/config\.yaml:1:\d+: The key "pth" is unknown\. Did you mean "path"\?/)
    backtest.save('config.yaml', configText(10_000))
    await backtest.nextRun()
    const repaired = await saying('levels.ts', STRATEGY)
    expect(repaired.err).toBe('')
    expect(repaired.out).toContain('No key figure differs from the run before.')
    backtest.process.signal('SIGTERM')
    expect(await backtest.process.exitCode).toBe(0)
  })

  it('sees files that an editor puts into the place of others, and no saves that change nothing', async () => {
    const backtest = new WatchedBacktest()
    await backtest.nextRun()
    backtest.save('levels.ts', STRATEGY)
    backtest.save('levels.ts.new', STRATEGY.replace('110', '115'))
    renameSync(backtest.path('levels.ts.new'), backtest.path('levels.ts'))
    expect((await backtest.nextRun()).out).toMatch(/End equity +10,030\.00 USDT → 10,015\.00 USDT\n/)
    expect(backtest.process.err.split('Waiting for').length).toBe(3)
  })

  it('ends at SIGINT with exit code 130 while it runs', async () => {
    const backtest = new WatchedBacktest({ klines: 50_000 })
    await backtest.nextRun()
    backtest.process.err = ''
    const slow = 'for (let step = 0, sum = 0; step < 400_000; step++) sum += Math.sqrt(step)'
    backtest.save('levels.ts', STRATEGY.replace('if (position', `${slow}\n    if (position`))
    await backtest.process.line('Played', 'err')
    backtest.process.signal('SIGINT')
    expect(await backtest.process.exitCode).toBe(130)
    expect(backtest.process.err).toMatch(
      /\nInterrupted: the run was not finished, and nothing was written\.\n$/,
    )
  })

  it('writes its files every time', async () => {
    const backtest = new WatchedBacktest({ more: ['--json', '-'] })
    const first = await backtest.nextRun()
    expect(JSON.parse(first.out).roundTrips).toHaveLength(3)
    backtest.save('level.ts', levelText(180))
    const later = await backtest.nextRun()
    expect(JSON.parse(later.out).roundTrips).toHaveLength(2)
  })

  it('refuses what it cannot be together with', async () => {
    const process = new SluiceProcess(['src/main.js', 'backtest', 'a.ts', '--watch', '--prove-causal'])
    expect(await process.exitCode).toBe(2)
    expect(process.err).toMatch(/^--watch and --prove-causal contradict each other/)
  })
})

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { waveCsv } from '../klines.ts'
import { fileWith, ROOT, sluice } from '../sluice-process.ts'
import { sluiceHere } from './in-process.ts'

const STRATEGY_INDEX = pathToFileURL(join(ROOT, 'src/strategy/index.ts')).href
const SMA_CROSS = ['strategies/sma-cross.ts', '--param', 'fast=5', '--param', 'slow=10']

const on = (strategy: readonly string[], ...more: readonly string[]) => [
  'backtest',
  ...strategy,
  '--data',
  fileWith('wave.csv', waveCsv(600)),
  '--symbol',
  'BTC/USDT',
  '--interval',
  '1h',
  ...more,
]

/** A strategy file that starts with `before`. */
function strategyFile(definition: string, before = ''): string {
  const source = `import { defineStrategy, enterLong, exit } from '${STRATEGY_INDEX}'\n${before}\nexport default defineStrategy(${definition})\n`
  return fileWith('mine.ts', source)
}

describe('--prove-causal', () => {
  it('says that a strategy is causal, and what was compared', async () => {
    const { exitCode, out, err } = await sluiceHere(...on(SMA_CROSS, '--prove-causal'))
    expect([exitCode, err]).toEqual([0, ''])
    expect(out).toMatch(
      /^Causal: sma-cross did the same before every moment, whatever klines came after it\.\n {2}Compared up to each of 20 moments: \d+ signals, \d+ changes of orders, \d+ fills, \d+ round trips and the equity of 600 klines\.\n$/,
    )
  })

  it('takes as many moments as are asked for', async () => {
    expect((await sluiceHere(...on(SMA_CROSS, '--prove-causal', '3'))).out).toContain('each of 3 moments')
  })

  it('names the first leak with exit code 1: kline, values and handler', async () => {
    const strategy = strategyFile(`{
  name: 'sly',
  indicators: () => ({ next: {
    requiredKlines: 0, value: 0, previous: 0, row: 0,
    announce(klines, from) { this.klines = klines; this.row = from },
    update() { this.value = this.klines.close[++this.row] },
  } }),
  onKline: ({ close }, { indicators: { next }, position }) => {
    if (position.direction === 'flat' && next.value > close) return enterLong()
    if (position.direction === 'long' && next.value < close) return exit()
  },
}`)
    const { exitCode, out, err } = await sluice(...on([strategy], '--prove-causal'))
    expect([exitCode, err]).toEqual([1, ''])
    const [verdict, leak, before, after, reach] = out.split('\n')
    expect(verdict).toBe('Not causal: what sly does depends on klines that come later.')
    expect(leak).toMatch(/^First leak: signal in onKline at the kline of 2024-01-\S+Z \(row \d+\)$/)
    expect([before, after].join('\n')).toMatch(
      /^ {2}before: (none|\{"type":.+)\n {2}after: {2}(none|\{"type":.+)$/,
    )
    expect(before?.slice(10)).not.toBe(after?.slice(10))
    expect(reach).toMatch(
      /were replaced\. It changes even where only klines from the 1\. after its own on are\.$/,
    )
  })

  it('does not vouch for a strategy that reads files', async () => {
    const strategy = strategyFile(
      "{ name: 'reader', onKline: () => undefined }",
      "import { readFileSync } from 'node:fs'\nreadFileSync",
    )
    const { exitCode, out } = await sluice(...on([strategy], '--prove-causal'))
    expect(exitCode).toBe(1)
    expect(out).toMatch(/^Not proven: reader reaches for what no change of klines can reach: node:fs\.\n/)
  })
})

describe('--certify-warmup', () => {
  it('says what is needed beside what is declared', async () => {
    const { exitCode, out, err } = await sluiceHere(...on(SMA_CROSS, '--certify-warmup'))
    expect([exitCode, err]).toEqual([0, ''])
    expect(out).toMatch(
      /^Certified: sma-cross declares a warm-up of 10 klines, and its decisions need 10\.\n {2}Compared: \d+ decisions in \d+ windows after 300 klines/,
    )
  })

  it('refuses a warm-up that is too short, with exit code 1 and what to write', async () => {
    const strategy = strategyFile(`{
  name: 'hasty',
  indicators: () => ({ before: {
    requiredKlines: 0, previous: 0, closes: [],
    get value() { return this.closes.at(-4) ?? Number.NaN },
    update({ close }) { this.closes.push(close) },
  } }),
  onKline: ({ close }, { indicators: { before } }) => (close > before.value ? enterLong() : exit()),
}`)
    const { exitCode, out } = await sluice(...on([strategy], '--certify-warmup'))
    expect(exitCode).toBe(1)
    // The third close before the one it decides on.
    expect(out).toMatch(
      /^Not certified: hasty declares a warm-up of 0 klines, but its decisions need 3\. Declare it: warmUp: \(\) => 3\.\n/,
    )
  })
})

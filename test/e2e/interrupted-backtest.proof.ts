import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileWith, SluiceProcess, strategyFile } from './sluice-process.ts'

const HOUR = 3_600_000
const START = Date.UTC(2010, 0, 1)
const KLINES = 100_000

/** Hourly klines that do not move. */
function flatCsv(): string {
  const rows = Array.from({ length: KLINES }, (_, index) => `${START + index * HOUR},100,100,100,100,1`)
  return `idx,open,high,low,close,vol\n${rows.join('\n')}\n`
}

/** Thinks for some tenths of a millisecond about each kline, so that all of them take half a minute. */
const SLOW = thinking(200_000)
/** Thinks for some tens of milliseconds about each kline, so that a thousand of them take half a minute. */
const VERY_SLOW = thinking(30_000_000)

function thinking(steps: number): string {
  return `() => { for (let step = 0, sum = 0; step < ${steps}; step++) sum += Math.sqrt(step) }`
}

const REPORTS = ['--json', 'r.json', '--csv', 'lists', '--html', 'r.html']

describe('a backtest that takes long', () => {
  it.each([
    ['of one market', 'BTC/USDT', REPORTS, SLOW],
    ['of one market, by a very slow strategy,', 'BTC/USDT', REPORTS, VERY_SLOW],
    ['of several markets', 'BTC/USDT,ETH/USDT', REPORTS, SLOW],
    ['that is proven causal', 'BTC/USDT,ETH/USDT', ['--prove-causal'], SLOW],
    ['whose warm-up is certified', 'BTC/USDT', ['--certify-warmup'], SLOW],
  ])(
    '%s shows how far it is, and ends at SIGINT with a sentence, exit code 130 and no file',
    async (_, symbol, more, onKline) => {
      const data = fileWith('flat.csv', flatCsv())
      const folder = dirname(data)
      const options = more.map(text => (text.startsWith('--') ? text : join(folder, text)))
      const files = symbol.replaceAll(/[^,]+/g, data)
      const market = ['--data', files, '--symbol', symbol, '--interval', '1h']
      const run = new SluiceProcess([
        'src/main.js',
        'backtest',
        strategyFile('slow', onKline),
        ...market,
        ...options,
      ])
      expect(await run.line('Played', 'err')).toMatch(/^Played [\d,]+ of [\d,]+00,000 klines \(\d+%\) …$/)
      const interruptedAt = performance.now()
      run.signal('SIGINT')
      expect(await run.exitCode).toBe(130)
      // A second on a machine that does nothing else; the rest of the run would take half a minute at least.
      expect(performance.now() - interruptedAt).toBeLessThan(10_000)
      expect(run.out).toBe('')
      expect(run.err).toMatch(/\nInterrupted: the run was not finished, and nothing was written\.\n$/)
      expect(readdirSync(folder)).toEqual(['flat.csv'])
    },
  )
})

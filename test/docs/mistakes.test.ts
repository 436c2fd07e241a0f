import { writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sluiceHere } from '../cli/backtest/in-process.ts'
import { fileWith, sluice } from '../cli/sluice-process.ts'
import { pageText } from './guide-pages.ts'

const CONTRACT = JSON.stringify(resolve(import.meta.dirname, '../../src/strategy/index.ts'))
const HOUR = 3_600_000
const START = Date.UTC(2024, 0, 1)

/** A hundred hours at 100. */
const FLAT = Array.from({ length: 100 }, (_, hour) => `${START + hour * HOUR},100,100,100,100,1`)

/** What is told of a strategy with this definition, or with this text, on one line; and the exit code. */
async function told(
  definition: string,
  {
    more = [],
    whole,
    run = sluiceHere,
  }: { more?: readonly string[]; whole?: string; run?: typeof sluice } = {},
) {
  const imports = `import { atr, defineStrategy, enterLong, exit, integer } from ${CONTRACT}\n`
  const file = fileWith(
    'mistake.ts',
    whole ?? `${imports}export default defineStrategy({ name: 'mistake', ${definition} })\n`,
  )
  const data = join(dirname(file), 'flat.csv')
  writeFileSync(data, `open_time,open,high,low,close,volume\n${FLAT.join('\n')}\n`)
  const config = join(dirname(file), 'config.yaml')
  writeFileSync(config, 'instruments: { default: { takerFeeRate: 0 } }\nfills: { slippageRate: 0 }\n')
  const market = ['--data', data, '--symbol', 'BTC/USDT', '--interval', '1h', '--config', config]
  const { exitCode, out, err } = await run('backtest', file, ...market, ...more)
  return { exitCode, text: (out + err).replaceAll(/\s+/g, ' ') }
}

const flat = "position.direction === 'flat'"
const PARAMETERS = "parameters: { fast: integer({ default: 5, min: 1, max: 9, description: 'F.' }) }"
const CASES: readonly (readonly [string, () => ReturnType<typeof told>])[] = [
  ['a misspelt parameter', () => told(PARAMETERS, { more: ['--param', 'fats=3'] })],
  ['an interval that does not exist', () => told(PARAMETERS, { more: ['--interval', '90m'] })],
  ['an exit while nothing is held', () => told('onKline: () => exit()')],
  [
    'a stop-loss on the wrong side',
    () =>
      told(
        `onKline: (kline, { position }) => ${flat} ? enterLong({ stopLoss: kline.close * 1.02 }) : undefined`,
      ),
  ],
  [
    'a number that is none, from an indicator that is not ready',
    () =>
      told(
        'indicators: () => ({ range: atr(14) }), warmUp: () => 0, onKline: (kline, { indicators }) => enterLong({ stopLoss: kline.close - indicators.range.value })',
      ),
  ],
  [
    'a kline of the future',
    () =>
      told('history: 5, onKline: (_kline, { history }) => (history[5].close > 0 ? enterLong() : undefined)'),
  ],
  [
    'no default export',
    () =>
      told('', {
        whole: `import { defineStrategy } from ${CONTRACT}\nexport const strategy = defineStrategy({ name: 'mistake' })\n`,
      }),
  ],
  [
    'reading files in a strategy',
    () =>
      told('', {
        whole: `import { existsSync } from 'node:fs'\nimport { defineStrategy, enterLong } from ${CONTRACT}\nexport default defineStrategy({ name: 'mistake', onKline: () => (existsSync('/') ? enterLong() : undefined) })\n`,
        // Only a process of its own has its modules refused.
        run: sluice,
      }),
  ],
  ['an async handler', () => told('onKline: async () => enterLong()')],
  [
    'a size above the balance',
    () =>
      told(`onKline: (_kline, { position }) => ${flat} ? enterLong({ size: { quote: 50000 } }) : undefined`),
  ],
]

describe('the page of mistakes', () => {
  const rows = [...pageText('mistakes.md').matchAll(/^\| ([a-z][^|]*?) \| `(.*)` \|$/gm)]

  it('has ten of them', () => {
    expect(rows.map(([, mistake]) => mistake)).toEqual(CASES.map(([mistake]) => mistake))
  })

  it.each(CASES)('tells what is told of %s', async (mistake, make) => {
    const sentence = rows.find(([, name]) => name === mistake)?.[2] ?? 'no such row'
    const { exitCode, text } = await make()
    expect(text).toContain(sentence)
    expect(exitCode).toBe(exitCodeOf(sentence))
  })
})

/** As the page says: 1 where the strategy itself failed, 0 where a report told it, 2 for all others. */
function exitCodeOf(sentence: string): number {
  if (/^(No order traded|Denied)/.test(sentence)) return 0
  return /^(returned a wrong signal|threw in)/.test(sentence) ? 1 : 2
}

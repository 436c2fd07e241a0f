import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { START, waveCsv } from '../klines.ts'
import { fileWith, ROOT, sluice } from '../sluice-process.ts'
import { sluiceHere } from './in-process.ts'

const HEADER = 'idx,open,high,low,close,vol\n'
const STRATEGY_INDEX = pathToFileURL(join(ROOT, 'src/strategy/index.ts')).href

/** Three hourly klines, the second of which has these values. */
function csvWith(second: string, hour = 1): string {
  const row = (at: number, values: string) => `${START + at * 3_600_000},${values}\n`
  return HEADER + row(0, '100,101,99,100,1') + row(hour, second) + row(2, '100,101,99,100,1')
}

const args = (data: string, ...more: readonly string[]) => [
  'backtest',
  'strategies/sma-cross.ts',
  '--data',
  data,
  '--symbol',
  'BTC/USDT',
  '--interval',
  '1h',
  ...more,
]

describe('a backtest refuses data with exit code 2, naming the line', () => {
  it.each([
    ['that is empty', '', 'has no klines; expected rows of idx,open,high,low,close,vol, oldest first.'],
    ['that is only a header', HEADER, 'has no klines;'],
    [
      'that is unsorted',
      csvWith('100,101,99,100,1', -1),
      'opens at 2023-12-31T23:00:00.000Z, before the kline above it',
    ],
    ['with a time twice', csvWith('100,101,99,100,1', 0), 'repeats the open time 2024-01-01T00:00:00.000Z'],
    ['with NaN', csvWith('100,NaN,99,100,1'), 'has "NaN" as its high; expected a price above 0.'],
    [
      'with infinity',
      csvWith('100,Infinity,99,100,1'),
      'has "Infinity" as its high; expected a price above 0.',
    ],
    [
      'with a negative price',
      csvWith('100,101,-99,100,1'),
      'has "-99" as its low; expected a price above 0.',
    ],
    ['with a price of zero', csvWith('0,101,99,100,1'), 'has "0" as its open; expected a price above 0.'],
    ['with a high below a low', csvWith('100,99,101,100,1'), 'has a high of 99 below its low of 101;'],
    [
      'with an open outside',
      csvWith('105,101,99,100,1'),
      'has an open of 105 outside its low of 99 and its high of 101;',
    ],
    [
      'with a negative volume',
      csvWith('100,101,99,100,-1'),
      'has "-1" as its volume; expected a number of at least 0.',
    ],
    ['with a short row', csvWith('100'), 'has 2 columns, but 6 were expected:'],
  ])('%s', async (_, csv, sentence) => {
    const { exitCode, out, err } = await sluiceHere(...args(fileWith('k.csv', csv)))
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
    if (csv.includes('2024') || csv.split('\n').length > 3) expect(err).toMatch(/^Line 3 of \S+k\.csv /)
  })
})

describe('a backtest refuses with exit code 2', () => {
  it.each([
    [
      'a period of nothing',
      ['--from', '2024-01-05', '--to', '2024-01-02'],
      '--from 2024-01-05T00:00:00.000Z is not before --to',
    ],
    [
      'a period without data',
      ['--to', '2020-01-01'],
      'has no klines before 2020-01-01T00:00:00.000Z; it has those from 2024',
    ],
    [
      'a period shorter than the warm-up',
      ['--to', '2024-01-02'],
      'Strategy "sma-cross" decides nothing before it has seen 50 klines, and there are 24; give a longer period.',
    ],
    ['a file and a store', ['--store', 'data'], '--data and --store contradict each other'],
    ['a file and a venue', ['--venue', 'x'], '--data and --venue contradict each other'],
    [
      'a proof that is written as JSON',
      ['--prove-causal', '--json', '-'],
      '--prove-causal and --json contradict each other',
    ],
    [
      'a certificate as a page',
      ['--certify-warmup', '--html', 'x'],
      '--certify-warmup and --html contradict each other',
    ],
    [
      'a path beside finer klines',
      ['--path', 'ohlc', '--detail', '1m'],
      '--path ohlc and --detail contradict each other',
    ],
    [
      'finer klines without their interval',
      ['--detail-data', 'x.csv'],
      '--detail-data needs the interval of its klines; say it with --detail, as in --detail 1m.',
    ],
    [
      'a path that finer klines tell, without them',
      ['--path', 'detail'],
      'The path "detail" needs klines of a finer interval; name it, as in --detail 1m,',
    ],
    [
      'finer klines that are longer',
      ['--detail', '4h'],
      'Klines of 4h cannot tell what happens inside those of 1h; use a finer interval',
    ],
    [
      'a store that nothing is read from',
      ['--detail', '1m', '--detail-data', 'x.csv', '--store', 'data'],
      '--data and --store contradict each other',
    ],
    [
      'a misspelt path',
      ['--path', 'optimist'],
      "argument 'optimist' is invalid. Allowed choices are pessimistic, optimistic, ohlc, olhc, detail.",
    ],
    [
      'bounds of a proof',
      ['--bounds', '--prove-causal'],
      '--bounds and --prove-causal contradict each other',
    ],
    [
      'bounds of a certificate',
      ['--bounds', '--certify-warmup'],
      '--bounds and --certify-warmup contradict each other',
    ],
    ['no moments at all', ['--prove-causal', '0'], 'Give a whole number from 1 to 10000.'],
    ['a misspelt question', ['--prove-casual'], '(Did you mean --prove-causal?)'],
    ['a shorter interval', ['--interval', '5m'], 'The klines are of the interval 1h, not 5m'],
    [
      'a longer interval',
      ['--interval', '1d'],
      'No kline of 1d opens at 2024-01-01T01:00:00.000Z (UTC): the times fit the interval 1h.',
    ],
    ['an empty parameter', ['--param', 'slow='], 'is "", but must be a whole number from 2 to 5000.'],
    [
      'a result and a strategy',
      ['--verify', 'r.json'],
      '--verify takes everything from the result, so strategies/sma-cross.ts contradicts it',
    ],
  ])('%s', async (_, more, sentence) => {
    const { exitCode, out, err } = await sluiceHere(...args(fileWith('k.csv', waveCsv(100)), ...more))
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
  })

  it.each([
    ['path: detail', [], 'The path "detail" needs klines of a finer interval; name it, as in --detail 1m'],
    [
      'stopLossFirst: always',
      ['--path', 'olhc'],
      'The fill settings stopLossFirst: always and path: olhc contradict each other',
    ],
    [
      'stopLimit: atStopPrice',
      ['--bounds'],
      '--bounds plays the path optimistic as well. The fill settings stopLimit: atStopPrice and path: optimistic contradict',
    ],
  ])('fill settings that contradict options: %s', async (fills, more, sentence) => {
    const config = fileWith('c.yaml', `fills: { ${fills} }`)
    const { exitCode, out, err } = await sluiceHere(
      ...args(fileWith('k.csv', waveCsv(100)), '--config', config, ...more),
    )
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
  })

  it('a result and anything else', async () => {
    const { exitCode, err } = await sluiceHere('backtest', '--verify', 'r.json', '--seed', '3')
    expect([exitCode, err]).toEqual([
      2,
      '--verify takes everything from the result, so --seed contradicts it; leave it out.\n',
    ])
  })

  it.each(['', '# all of it is a comment\n'])('a configuration without settings (%j)', async yaml => {
    const config = fileWith('none.yaml', yaml)
    const { exitCode, err } = await sluiceHere(...args(fileWith('k.csv', waveCsv(100)), '--config', config))
    expect(exitCode).toBe(2)
    expect(err).toContain(
      'none.yaml:1:1: The file is empty, so it does not say how to trade; write at least an account',
    )
  })

  it.each([
    ['two sizes', 'size: { quote: 5, base: 1 }', 'size has 2 of the keys'],
    ['leverage on spot', 'account: { maxLeverage: 3 }', 'a spot account cannot borrow'],
    [
      'bounds that cross',
      'instruments: { default: { minQuantity: 5, maxQuantity: 1 } }',
      'Its minQuantity is above its maxQuantity.',
    ],
    ['an account in debt', 'account: { balance: { USDT: -5 } }', 'must be an amount of at least 0'],
  ])('contradictory settings: %s', async (_, yaml, sentence) => {
    const config = fileWith('c.yaml', yaml)
    const { exitCode, err } = await sluiceHere(...args(fileWith('k.csv', waveCsv(100)), '--config', config))
    expect(exitCode).toBe(2)
    expect(err).toContain(sentence)
    expect(err).toContain(`${config}:1:`)
  })
})

describe('a strategy with a mistake', () => {
  const run = (definition: string, rest = '') => {
    const source = `import { defineStrategy, enterLong } from '${STRATEGY_INDEX}'\nexport default defineStrategy(${definition})\n${rest}`
    const strategy = fileWith('mine.ts', source)
    const [command = '', , ...more] = args(fileWith('k.csv', waveCsv(100)))
    return sluice(command, strategy, ...more)
  }

  it('throws: kline, handler and its own lines of the stack are named', async () => {
    const { exitCode, err } = await run(
      "{ name: 'deep', onKline: () => rule() }",
      'function rule() { return inner() }\nfunction inner() { throw new Error("No.") }\n',
    )
    expect(exitCode).toBe(1)
    const [sentence, ...stack] = err.trimEnd().split('\n')
    expect(sentence).toBe('Strategy "deep" on BTC/USDT at 2024-01-01T01:00:00.000Z threw in onKline: No.')
    expect(stack.map(frame => /mine\.ts:(\d+):/.exec(frame)?.[1])).toEqual(['4', '3', '2'])
  })

  it.each([
    [
      "{ name: 'a', indicators: () => { throw new Error('Bad.') } }",
      1,
      'Strategy "a" threw in indicators: Bad.',
    ],
    [
      "{ name: 'a', indicators: () => ({ x: { requiredKlines: 0, update() { throw new Error('Bad.') } } }) }",
      1,
      'Strategy "a" threw in an indicator, on the kline of 2024-01-01T00:00:00.000Z: Bad.',
    ],
    ["{ name: 'a', indicators: () => ({ x: 5 }) }", 2, 'The indicator "x" of strategy "a" is 5, but must be'],
    ["{ name: 'a', warmUp: () => NaN }", 2, 'Strategy "a" has a warm-up of NaN'],
    [
      "{ name: 'a', onKlines: () => enterLong() }",
      2,
      'mine.ts: Strategy "a" has no part "onKlines". Did you mean "onKline"?',
    ],
    ['{ onKline: () => enterLong() }', 2, 'mine.ts: A strategy needs a name'],
  ])('%s', async (definition, expected, sentence) => {
    const { exitCode, err } = await run(definition)
    expect(exitCode).toBe(expected)
    expect(err).toContain(sentence)
    expect(err).not.toContain('mistake in Sluice')
  })
})

import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { START, waveCsv } from '../klines.ts'
import { type Ended, fileWith, ROOT, sluice, startSluice } from '../sluice-process.ts'
import { withoutProgress } from '../without-progress.ts'
import { sluiceHere } from './in-process.ts'

const SMA_CROSS = 'strategies/sma-cross.ts'
const STRATEGY_INDEX = pathToFileURL(join(ROOT, 'src/strategy/index.ts')).href

interface RunOptions {
  readonly strategy?: string
  readonly csv?: string
  readonly more?: readonly string[]
}

/** Arguments of a backtest of hourly klines; later options win over earlier ones. */
function argsOf({ strategy = SMA_CROSS, csv = waveCsv(400), more = [] }: RunOptions = {}): string[] {
  const data = fileWith('wave.csv', csv)
  return ['backtest', strategy, '--data', data, '--symbol', 'BTC/USDT', '--interval', '1h', ...more]
}

function run(options: RunOptions = {}): Promise<Ended> {
  return sluiceHere(...argsOf(options))
}

/** A strategy file with this definition. */
function strategyFile(definition: string): string {
  const source = `import { defineStrategy, enterLong, exit } from '${STRATEGY_INDEX}'\nexport default defineStrategy(${definition})\n`
  return fileWith('mine.ts', source)
}

describe('the backtest command', () => {
  it('prints a table, and nothing else', async () => {
    const { exitCode, out, err } = await run({ more: ['--param', 'fast=5', '--param', 'slow=10'] })
    expect([exitCode, err]).toEqual([0, ''])
    expect(out).toMatch(/^sma-cross on BTC\/USDT 1h\n/)
    expect(out).toMatch(/\n {2}Parameters: fast 5, slow 10\n/)
    expect(out).toMatch(/\n {2}Start equity +10,000\.00 USDT/)
  })

  it('writes the same bytes in every run, in a process of its own or not', async () => {
    const args = argsOf({ more: ['--json', '-'] })
    const [first, second] = await Promise.all([sluice(...args), sluiceHere(...args)])
    expect(first).toMatchObject({ exitCode: 0, err: '' })
    expect(first.out.length).toBeGreaterThan(10_000)
    expect(second.out).toBe(first.out)
  })

  it('writes one JSON object that adds up: all pnl of a margin account is what its equity gained', async () => {
    const config = fileWith('margin.yaml', 'account: { type: margin }\nfills: { closeAtEnd: lastClose }\n')
    const { out } = await run({ more: ['--json', '-', '--config', config, '--seed', '9'] })
    const { manifest, metrics, roundTrips, fills, denials, equity } = JSON.parse(out)
    expect(out).toMatch(/^\{.*\}\n$/)
    expect(manifest).toMatchObject({ seed: 9, klines: 400, from: START, parameters: { fast: 20, slow: 50 } })
    expect(equity).toHaveLength(400)
    expect(denials).toEqual({})
    expect(roundTrips.length).toBeGreaterThan(3)
    expect(fills).toHaveLength(2 * roundTrips.length)
    const pnl = roundTrips.reduce((sum: number, roundTrip: { pnl: number }) => sum + roundTrip.pnl, 0)
    expect(pnl).not.toBe(0)
    expect(metrics.endEquity - metrics.startEquity).toBeCloseTo(pnl, 8)
    expect(equity.at(-1)[1]).toBe(metrics.endEquity)
  })

  it('trades on the grid that the prices of the klines have, unless one is configured', async () => {
    // A coin near 0.45: on a grid of cents every price would be moved by up to a percent.
    const cheap = waveCsv(400).replaceAll(/(?<=,)[\d.]+(?=,)/g, price => (Number(price) / 250).toFixed(5))
    const pricesOf = async (...more: string[]) => {
      const { out } = await run({ csv: cheap, more: ['--json', '-', ...more] })
      return JSON.parse(out).fills.map(({ price }: { price: number }) => price) as number[]
    }
    const isOnCents = (price: number) => Math.abs(price * 100 - Math.round(price * 100)) < 1e-9
    const prices = await pricesOf()
    expect(prices.length).toBeGreaterThan(5)
    expect(prices.every(price => price > 0.2 && price < 1)).toBe(true)
    expect(prices.filter(isOnCents).length).toBeLessThan(prices.length / 2)
    const coarse = await pricesOf(
      '--config',
      fileWith('cents.yaml', 'instruments: { default: { pricePrecision: 2 } }\n'),
    )
    expect(coarse.every(isOnCents)).toBe(true)
  })

  it('trades on the grid of the klines that are played: later ones of the file change nothing', async () => {
    const lines = waveCsv(400).trimEnd().split('\n')
    const day = lines.slice(0, 1 + 240)
    // From the 241st hour on, the file has prices of five decimals.
    const later = lines
      .slice(241)
      .map(line => line.replaceAll(/(?<=,)[\d.]+(?=,)/g, price => (Number(price) / 3).toFixed(5)))
    const span = ['--to', String(START + 240 * 3_600_000), '--json', '-']
    const [cut, whole] = await Promise.all(
      [day, [...day, ...later]].map(async rows => {
        const { out } = await run({ csv: `${rows.join('\n')}\n`, more: span })
        const { fills, equity } = JSON.parse(out)
        return { fills, equity }
      }),
    )
    expect(cut?.fills.length).toBeGreaterThan(5)
    expect(whole).toEqual(cut)
  })

  it('writes JSON to a file and leaves no other file behind', async () => {
    const target = fileWith('result.json', 'old')
    const args = argsOf({ more: ['--json'] })
    expect(await sluiceHere(...args, target)).toEqual({ exitCode: 0, out: '', err: '' })
    const { out } = await sluiceHere(...args, '-')
    expect(readFileSync(target, 'utf8')).toBe(out)
    expect(readdirSync(dirname(target))).toEqual(['result.json'])
  })

  it('takes the klines that open from one time to before another', async () => {
    const span = ['--from', '2024-01-02', '--to', String(START + 72 * 3_600_000)]
    const more = ['--json', '-', '--param', 'slow=40', ...span]
    const { manifest } = JSON.parse((await run({ more })).out)
    expect(manifest).toMatchObject({ from: Date.UTC(2024, 0, 2), to: Date.UTC(2024, 0, 4), klines: 48 })
    expect(manifest.data).toEqual([
      { file: 'wave.csv', sha256: expect.stringMatching(/^[0-9a-f]{64}$/), klines: 400 },
    ])
  })

  it('counts a balance of base in what the account starts with', async () => {
    const config = fileWith('both.yaml', 'account: { balance: { USDT: 10, BTC: 2 } }')
    const { metrics } = JSON.parse((await run({ more: ['--json', '-', '--config', config] })).out)
    expect(metrics.startEquity).toBe(210)
  })

  it('fails over absent klines, with a list of them', async () => {
    const { exitCode, out, err } = await run({ csv: waveCsv(400, [7, 8, 90]) })
    expect([exitCode, out]).toEqual([2, ''])
    const [first, ...lines] = err.split('\n')
    expect(first).toMatch(/^\S+wave\.csv lacks 3 klines in 2 gaps:$/)
    expect(lines).toEqual([
      '  2 klines from 2024-01-01T07:00:00.000Z',
      '  1 kline from 2024-01-04T18:00:00.000Z',
      'Get them, or say --gaps skip (the strategy does not see that time) or --gaps fill (it sees flat klines without volume).',
      '',
    ])
  })

  it('names ten gaps, and counts the others', async () => {
    const everyThird = Array.from({ length: 12 }, (_, index) => 1 + 3 * index)
    const { err } = await run({ csv: waveCsv(60, everyThird) })
    const lines = err.split('\n')
    expect(lines[0]).toContain('lacks 12 klines in 12 gaps:')
    expect(lines.slice(1, 12)).toEqual([
      ...everyThird
        .slice(0, 10)
        .map(hour => expect.stringContaining(new Date(START + hour * 3_600_000).toISOString())),
      '  and 2 more gaps',
    ])
  })

  it.each([
    ['skip', 397, /\n {2}Gaps: 2 skipped \(3 klines\)\n/],
    ['fill', 400, /\n {2}Gaps: 2 filled \(3 klines\)\n/],
  ])('goes over absent klines with --gaps %s, and says so', async (policy, klines, row) => {
    const args = argsOf({ csv: waveCsv(400, [7, 8, 90]), more: ['--gaps', policy] })
    const [table, json] = [await sluiceHere(...args), await sluiceHere(...args, '--json', '-')]
    expect(table).toMatchObject({ exitCode: 0, err: '', out: expect.stringMatching(row) })
    const { manifest } = JSON.parse(json.out)
    expect(manifest).toMatchObject({ klines, gaps: { policy, count: 2, missing: 3 } })
    // The file has as many as it has, whatever became of the gaps.
    expect(manifest.data[0].klines).toBe(397)
  })

  it('counts no gap where there is none', async () => {
    const { manifest } = JSON.parse((await run({ more: ['--json', '-'] })).out)
    expect(manifest.gaps).toEqual({ policy: 'fail', count: 0, missing: 0 })
  })

  it('says why orders were denied', async () => {
    const config = fileWith('poor.yaml', 'account: { balance: { USDT: 5 } }')
    const { exitCode, out } = await run({ more: ['--config', config] })
    expect(exitCode).toBe(0)
    expect(out).toMatch(
      /\nDenied \d+ × by minimum notional; the first: The order is worth 4\.\d+ USDT, below/,
    )
  })

  it('says what rounding slippage to whole ticks cost', async () => {
    // Bought at 4 ticks and sold at 2, each one tick worse: 0.02% of these are 0.0008 and 0.0004, on average 0.06% of the tick.
    const rows = Array.from({ length: 40 }, (_, row) => {
      const price = row % 2 === 0 ? 0.02 : 0.04
      return `${START + row * 3_600_000},${price},${price},${price},${price},1`
    })
    const flip = strategyFile(`{
      name: 'flip',
      onKline: (kline, { position }) => position.direction === 'flat' ? enterLong({ size: { quote: 1000 } }) : exit(),
    }`)
    const csv = ['openTime,open,high,low,close,volume', ...rows].join('\n')
    const { out, err } = await run({ strategy: flip, csv, more: ['--no-study'] })
    expect(err).toBe('')
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      /Rounding to whole ticks cost [\d,.]+ of [\d,.]+ USDT of slippage \(99\.9%\), most of it in BTC\/USDT\./,
    )
  })

  it('ends without a word when nobody reads its output to the end', async () => {
    const child = startSluice(...argsOf({ csv: waveCsv(20_000), more: ['--json', '-'] }))
    const err = text(child.stderr)
    child.stdout.once('data', () => child.stdout.destroy())
    expect(await once(child, 'close')).toEqual([0, null])
    expect(withoutProgress(await err)).toBe('')
  })
})

describe('the backtest command refuses with exit code 2', () => {
  it.each<[string, readonly string[], string]>([
    [
      'an unknown parameter',
      ['--param', 'fats=5'],
      'Strategy "sma-cross" has no parameter "fats". Did you mean "fast"?',
    ],
    [
      'a parameter out of bounds',
      ['--param', 'fast=0'],
      'Parameter "fast" of strategy "sma-cross" is "0", but must be a whole number from 1 to 5000.',
    ],
    [
      'parameters that do not go together',
      ['--param', 'fast=50'],
      'Strategy "sma-cross" cannot use these parameters: fast (50) must be smaller than slow (50).',
    ],
    [
      'an interval that the klines do not have',
      ['--interval', '1m'],
      'wave.csv: The klines are of the interval 1h, not 1m: their open times all fit it.',
    ],
    [
      'an interval that does not exist',
      ['--interval', '90m'],
      '"90m" is not an interval; use one of 1m, 3m,',
    ],
    [
      'a missing kline file',
      ['--data', 'none.csv'],
      'The kline file none.csv does not exist; give the path of a',
    ],
    [
      'a span without klines',
      ['--from', '2030-01-01'],
      'wave.csv has no klines from 2030-01-01T00:00:00.000Z; it has those from 2024-01-01T00:00:00.000Z to 2024-01-17T15:00:00.000Z.',
    ],
    [
      'a symbol whose quote the account does not hold',
      ['--symbol', 'BTC/EUR'],
      'The account in config/backtest.yaml holds no EUR to trade BTC/EUR with; add it to account.balance, such as { EUR: 10000 }.',
    ],
    ['a symbol in small letters', ['--symbol', 'btc/usdt'], 'in capitals. Did you mean "BTC/USDT"?'],
    [
      'a missing configuration',
      ['--config', 'none.yaml'],
      'The configuration file none.yaml does not exist;',
    ],
    [
      'a file that cannot be written',
      ['--json', 'no-such-folder/result.json'],
      'no-such-folder/result.json cannot be written (ENOENT: no such file or directory); give a file in a folder that exists.',
    ],
    ['a misspelt option', ['--parm', 'fast=5'], "error: unknown option '--parm'\n(Did you mean --param?)"],
    ['a parameter without a value', ['--param', 'fast'], 'Write name=value, such as fast=20.'],
    [
      'a parameter given twice',
      ['--param', 'fast=5', '--param', 'fast=6'],
      '"fast" is given twice; give it once.',
    ],
  ])('%s', async (_, more, sentence) => {
    const { exitCode, out, err } = await run({ more })
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
    expect(err).not.toContain('    at ')
  })

  it('a configuration with a mistake, with its place and the nearest name', async () => {
    const config = fileWith('wrong.yaml', 'account:\n  tipe: spot\n')
    const { exitCode, err } = await run({ more: ['--config', config] })
    expect(exitCode).toBe(2)
    expect(err).toBe(`${config}:2:3: The key "tipe" is unknown. Did you mean "type"?\n`)
  })

  it('klines with a mistake, with the line', async () => {
    const { exitCode, err } = await run({ csv: waveCsv(3).replace(',10\n', ',x\n') })
    expect(exitCode).toBe(2)
    expect(err).toMatch(/^Line 2 of \S+wave\.csv has "x" as its volume; expected a number of at least 0\.\n$/)
  })

  it('a missing strategy file, with the nearest name', async () => {
    const { exitCode, err } = await run({ strategy: 'strategies/sma-crss.ts' })
    expect([exitCode, err]).toEqual([
      2,
      'The strategy file strategies/sma-crss.ts does not exist; did you mean "sma-cross.ts"?\n',
    ])
  })

  it.each([
    [
      'is no strategy',
      'export default { onKline() {} }',
      /mine\.ts is not a strategy: its default export is a plain/,
    ],
    [
      'has a mistake in its syntax',
      'const a = 1\nconst b = = 2\n',
      /cannot be loaded: SyntaxError: .+ \(at \S+mine\.ts:2\)\.\n$/,
    ],
    [
      'imports what is not there',
      "import { a } from './none.ts'\n",
      /cannot be loaded: Cannot find module '\S+none\.ts'/,
    ],
    [
      'throws',
      "const a = 1\nthrow new Error('It is late.')\n",
      /cannot be loaded: It is late \(at \S+mine\.ts:2\)\.\n$/,
    ],
  ])('a strategy file that %s', async (_, source, sentence) => {
    const strategy = fileWith('mine.ts', source)
    // In a process of its own: the tests' loader of modules says it in other words.
    const { exitCode, out, err } = await sluice(...argsOf({ strategy }))
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toMatch(sentence)
    expect(err).toContain(strategy)
    expect(err).not.toContain('    at ')
  })
})

describe('a strategy that throws', () => {
  it('ends the backtest with exit code 1, naming strategy, handler, time and line', async () => {
    const strategy = strategyFile(`{
  name: 'fragile',
  onKline(kline) {
    if (kline.openTime > ${START}) throw new Error('I give up')
  },
}`)
    const { exitCode, out, err } = await run({ strategy, more: ['--json', 'never.json'] })
    expect([exitCode, out]).toEqual([1, ''])
    const [sentence, place, ...rest] = err.split('\n')
    expect(sentence).toBe(
      'Strategy "fragile" on BTC/USDT at 2024-01-01T02:00:00.000Z threw in onKline: I give up',
    )
    expect(place).toMatch(/^ {4}at .*mine\.ts:5:\d+\)$/)
    expect(rest).toEqual([''])
    expect(existsSync(join(ROOT, 'never.json'))).toBe(false)
  })

  it('so does one that returns a wrong signal', async () => {
    const strategy = strategyFile("{ name: 'odd', onKline: () => enterLong({ stopLoss: Number.NaN }) }")
    const { exitCode, err } = await run({ strategy })
    expect(exitCode).toBe(1)
    expect(err).toMatch(
      /^Strategy "odd" on BTC\/USDT at 2024-01-01T01:00:00\.000Z returned a wrong signal\. Its stopLoss/,
    )
  })
})

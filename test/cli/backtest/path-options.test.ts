import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../sluice-process.ts'
import { sluiceHere } from './in-process.ts'

const START = Date.UTC(2024, 0, 1)
const MINUTE = 60_000
const folder = mkdtempSync(join(tmpdir(), 'sluice-path-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

/** Klines of so many minutes; each row is open, high, low and close. */
function write(name: string, minutes: number, rows: readonly (readonly number[])[]): void {
  const lines = rows.map((row, index) => [START + index * minutes * MINUTE, ...row, 1].join(','))
  writeFileSync(at(name), `idx,open,high,low,close,vol\n${lines.join('\n')}\n`)
}

const QUIET = [100, 101, 99, 100]
/** Reaches the stop-loss at 95 and the take-profit at 110, which is 10 × -5 or 10 × 10 on 10,000. */
const BOTH = [100, 111, 94, 105]
const AFTER = [105, 106, 104, 105]
const [LOST, WON] = [9950, 10_100]

beforeAll(async () => {
  write('hours.csv', 60, [QUIET, BOTH, AFTER])
  const fallsFirst = [
    [100, 100, 94, 95],
    [95, 111, 95, 105],
  ]
  const risesFirst = [
    [100, 111, 100, 104],
    [104, 105, 94, 105],
  ]
  write('falls.csv', 30, [QUIET, QUIET, ...fallsFirst, AFTER, AFTER])
  write('rises.csv', 30, [QUIET, QUIET, ...risesFirst, AFTER, AFTER])
  write('quarters.csv', 15, [QUIET, QUIET, QUIET, QUIET])
  write('short.csv', 30, [QUIET, QUIET, ...risesFirst])
  const rules = 'instruments: { default: { makerFeeRate: 0, takerFeeRate: 0 } }'
  writeFileSync(
    at('c.yaml'),
    `account: { type: margin }\n${rules}\nsize: { base: 10 }\nfills: { slippageRate: 0 }\n`,
  )
  const contract = join(ROOT, 'src/strategy/index.ts')
  writeFileSync(
    at('once.ts'),
    `import { defineStrategy, enterLong } from ${JSON.stringify(contract)}
export default defineStrategy({
  name: 'once',
  onKline: ({ openTime }) => (openTime === ${START} ? enterLong({ stopLoss: 95, takeProfit: 110 }) : undefined),
})
`,
  )
  const stored = ['--venue', 'here', '--symbol', 'BTC/USDT', '--interval', '30m', '--store', at('store')]
  expect(await sluiceHere('klines', 'import', at('rises.csv'), ...stored)).toMatchObject({ exitCode: 0 })
})

const run = (...more: readonly string[]) =>
  sluiceHere(
    'backtest',
    at('once.ts'),
    '--data',
    at('hours.csv'),
    '--symbol',
    'BTC/USDT',
    '--interval',
    '1h',
    '--config',
    at('c.yaml'),
    ...more,
  )

async function resultOf(...more: readonly string[]) {
  const { exitCode, out, err } = await run(...more, '--json', '-')
  expect([exitCode, err]).toEqual([0, ''])
  return JSON.parse(out)
}

/** Writes a result, and verifies it after `change`. */
async function verified(more: readonly string[], change: () => void = () => {}) {
  await run(...more, '--json', at('r.json'))
  change()
  return sluiceHere('backtest', '--verify', at('r.json'))
}

describe('--path', () => {
  it.each([
    ['pessimistic', LOST],
    ['optimistic', WON],
    ['ohlc', WON],
    ['olhc', LOST],
  ])('%s decides what a kline leaves open', async (path, endEquity) => {
    const { metrics, manifest, ambiguity, roundTrips } = await resultOf('--path', path)
    expect(metrics.endEquity).toBe(endEquity)
    expect(manifest.inputs.path).toBe(path)
    expect(ambiguity).toEqual({ path, ambiguousRoundTrips: 1, roundTrips: 1, ambiguousOpenPositions: 0 })
    expect(roundTrips[0].ambiguous).toBe(true)
  })

  it('is part of the hash of the configuration, and not in a manifest that it was not given for', async () => {
    const [given, same, other] = [
      await resultOf(),
      await resultOf('--path', 'pessimistic'),
      await resultOf('--path', 'ohlc'),
    ]
    expect(Object.hasOwn(given.manifest.inputs, 'path')).toBe(false)
    expect(same.manifest.config).toBe(given.manifest.config)
    expect(other.manifest.config).not.toBe(given.manifest.config)
  })

  it('is verified with the result', async () => {
    expect(await verified(['--path', 'optimistic'])).toMatchObject({ exitCode: 0, err: '' })
  })
})

describe('--detail', () => {
  const detail = (file: string) => ['--detail', '30m', '--detail-data', at(file)]

  it.each([
    ['falls.csv', LOST],
    ['rises.csv', WON],
  ])('lets the finer klines of %s tell the path', async (file, endEquity) => {
    const { metrics, manifest, ambiguity } = await resultOf(...detail(file))
    expect(metrics.endEquity).toBe(endEquity)
    expect(ambiguity).toEqual({
      ...{ path: 'detail', ambiguousRoundTrips: 0, roundTrips: 1, ambiguousOpenPositions: 0 },
    })
    expect(manifest.detail).toEqual({
      file,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      klines: 6,
      interval: '30m',
    })
  })

  it('takes them from the store, without a file', async () => {
    const more = ['--detail', '30m', '--store', at('store')]
    const { metrics, manifest } = await resultOf(...more)
    expect(metrics.endEquity).toBe(WON)
    expect(manifest.detail).toMatchObject({ klines: 6, interval: '30m' })
    expect(manifest.inputs.detail.interval).toBe('30m')
    expect(manifest.inputs.detail.store).toMatch(/store$/)
    expect(await verified(more)).toMatchObject({ exitCode: 0, err: '' })
  })

  it('says so in the table', async () => {
    expect((await run(...detail('falls.csv'))).out).toContain(
      'Ambiguous: 0 of 1 round trips may depend on the path inside a kline; the rule was detail by klines\n  of 30m.',
    )
  })

  it('reads them again to verify, and finds others', async () => {
    expect(await verified(detail('rises.csv'))).toMatchObject({ exitCode: 0, err: '' })
    const before = readFileSync(at('rises.csv'), 'utf8')
    const { exitCode, out } = await verified(detail('rises.csv'), () =>
      writeFileSync(at('rises.csv'), readFileSync(at('falls.csv'))),
    )
    writeFileSync(at('rises.csv'), before)
    expect(exitCode).toBe(1)
    expect(out).toMatch(
      /\n {2}differs {2}manifest\.detail\.sha256 was "[0-9a-f]{64}" and is "[0-9a-f]{64}"\n/,
    )
    expect(out).toMatch(/\n {2}differs {2}metrics\.endEquity was 10100 and is 9950\n/)
  })

  it.each([
    [
      'short.csv',
      'The klines of 30m must reach over all those of 1h, from 2024-01-01T00:00:00.000Z to 2024-01-01T03:00:00.000Z;',
    ],
    ['hours.csv', 'hours.csv: The klines are of the interval 1h, not 30m'],
    // Too short as well, which would send whoever shortens the backtest here.
    ['quarters.csv', 'quarters.csv: No kline of 30m opens at 2024-01-01T00:15:00.000Z (UTC)'],
    ['none.csv', 'none.csv does not exist'],
  ])('refuses the klines of %s, with exit code 2', async (file, sentence) => {
    const { exitCode, out, err } = await run(...detail(file))
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
  })

  it('refuses klines that lie outside the longer ones, as those of another market do', async () => {
    const other = (row: readonly number[]) => row.map(price => price / 40)
    write('other.csv', 30, [QUIET, QUIET, BOTH, BOTH, AFTER, AFTER].map(other))
    expect(await run(...detail('other.csv'))).toEqual({
      ...{ exitCode: 2, out: '' },
      err: '6 of 6 klines of 30m lie outside those of 1h, the first at 2024-01-01T00:00:00.000Z from 2.475 to 2.525, where that of 1h goes from 99 to 101; give those of the same market and the same source.\n',
    })
    // One price beyond the hour is one at which nothing traded.
    write('beyond.csv', 30, [QUIET, QUIET, QUIET, [100, 111.5, 94, 105], AFTER, AFTER])
    expect((await run(...detail('beyond.csv'))).err).toContain(
      '1 of 6 klines of 30m lie outside those of 1h, the first at 2024-01-01T01:30:00.000Z from 94 to 111.5, where that of 1h goes from 94 to 111;',
    )
  })

  it('refuses a store without them, saying how to get them', async () => {
    const { exitCode, err } = await run('--detail', '1m', '--store', at('store'))
    expect(exitCode).toBe(2)
    expect(err).toContain('has no BTC/USDT 1m; it has 30m of here. Import it from your files')
  })
})

describe('--bounds', () => {
  it('gives the interval between the worst and the best path, beside the run itself', async () => {
    const { metrics, bounds, manifest } = await resultOf('--bounds', '--path', 'ohlc')
    expect(metrics.endEquity).toBe(WON)
    expect(bounds.intervals).toMatchObject({
      endEquity: { low: LOST, high: WON },
      winRate: { low: 0, high: 1 },
      roundTrips: { low: 1, high: 1 },
      sharpe: null,
    })
    expect(bounds.intervals.totalReturn.low).toBeCloseTo(-0.005, 12)
    expect(bounds.intervals.totalReturn.high).toBeCloseTo(0.01, 12)
    expect([bounds.worst.endEquity, bounds.best.endEquity]).toEqual([LOST, WON])
    expect(manifest.inputs.bounds).toBe(true)
  })

  it('shows it in the table and on the page', async () => {
    const { out } = await run('--bounds', '--html', at('r.html'))
    expect(out).toMatch(
      /\n +Figure +From +To +This run\n +End equity +9,950\.00 USDT +10,100\.00 USDT +9,950\.00 USDT\n/,
    )
    const page = readFileSync(at('r.html'), 'utf8')
    expect(page).toContain('With the worst and with the best path inside each kline')
    expect(page).toMatch(/9,950\.00 USDT<\/td>.*10,100\.00 USDT<\/td>/)
  })

  it('is verified with the result', async () => {
    expect(await verified(['--bounds', '--detail', '30m', '--detail-data', at('falls.csv')])).toMatchObject({
      exitCode: 0,
      err: '',
    })
  })
})

describe('riskFreeRate', () => {
  it('of the configuration reaches the figures, the convention and the manifest', async () => {
    const config = readFileSync(at('c.yaml'), 'utf8')
    writeFileSync(at('c.yaml'), `${config}riskFreeRate: 0.035\n`)
    const { metrics, manifest } = await resultOf()
    expect(metrics.convention.riskFreeRate).toBe(0.035)
    expect(manifest.inputs.config.riskFreeRate).toBe(0.035)
    expect((await run()).out.replaceAll('\n ', '')).toContain('risk-free rate 3.5%')
    expect(await verified([])).toMatchObject({ exitCode: 0, err: '' })
    writeFileSync(at('c.yaml'), `${config}riskFreeRate: 3.5\n`)
    expect(await run()).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('riskFreeRate must be a fraction from 0 to below 1'),
    })
    writeFileSync(at('c.yaml'), config)
  })
})

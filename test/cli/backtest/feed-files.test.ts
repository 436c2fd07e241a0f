import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../sluice-process.ts'
import { sluiceHere } from './in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-feed-files-'))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string) => join(folder, name)

const START = Date.UTC(2024, 0, 1)
const MINUTE = 60_000

/** Flat klines of so many minutes; those whose rows are in `without` are left out. */
function write(name: string, minutes: number, count: number, without: readonly number[] = []): void {
  const rows = Array.from({ length: count }, (_, row) => row)
  const lines = rows
    .filter(row => !without.includes(row))
    .map(row => [START + row * minutes * MINUTE, 100, 101, 99, 100, 1].join(','))
  writeFileSync(at(name), `idx,open,high,low,close,vol\n${lines.join('\n')}\n`)
}

beforeAll(async () => {
  // Two days, of which the first four hours are not played.
  write('hours.csv', 60, 48)
  write('4h.csv', 240, 12)
  write('days.csv', 1440, 8)
  write('minutes.csv', 1, 2880)
  write('short.csv', 240, 11)
  write('half.csv', 240, 6)
  write('late.csv', 240, 12, [0, 1])
  write('holed.csv', 240, 12, [5, 6])
  // A part, a last part, and all four.
  write('gaps.csv', 60, 48, [5, 11, 16, 17, 18, 19])
  const contract = JSON.stringify(join(ROOT, 'src/strategy/index.ts'))
  writeFileSync(
    at('slow.ts'),
    `import { defineStrategy, enterLong, klines } from ${contract}
export default defineStrategy({
  name: 'slow',
  feeds: () => ({ slow: klines({ interval: '4h' }) }),
  on: { slow: () => enterLong({ scaleIn: true, size: { base: 1 } }) },
})
`,
  )
  writeFileSync(
    at('volume.ts'),
    `import { defineStrategy, enterLong, klines } from ${contract}
export default defineStrategy({
  name: 'volume',
  feeds: () => ({ slow: klines({ interval: '4h' }) }),
  on: { slow: ({ volume }) => enterLong({ scaleIn: true, size: { base: 1 + volume } }) },
})
`,
  )
  writeFileSync(
    at('pair.ts'),
    `import { defineStrategy, enterLong, klines } from ${contract}
export default defineStrategy({
  name: 'pair',
  markets: ['other'],
  feeds: () => ({
    own: klines({}),
    near: klines({ market: 'other' }),
    other: klines({ market: 'other', interval: '4h' }),
  }),
  on: {
    near: () => enterLong({ scaleIn: true, size: { base: 1 } }),
    other: () => enterLong({ scaleIn: true, size: { base: 2 } }),
  },
})
`,
  )
  for (const [file, interval] of [
    ['hours.csv', '1h'],
    ['half.csv', '4h'],
    ['gaps.csv', '1h'],
  ] as const) {
    const store = at(file === 'gaps.csv' ? 'gaps' : 'store')
    const stored = ['--venue', 'here', '--symbol', 'BTC/USDT', '--interval', interval, '--store', store]
    expect(await sluiceHere('klines', 'import', at(file), ...stored)).toMatchObject({ exitCode: 0 })
  }
})

const run = (strategy: string, ...more: readonly string[]) =>
  sluiceHere('backtest', at(strategy), '--symbol', 'BTC/USDT', '--interval', '1h', '--no-study', ...more)

/** With the klines of a file for the feed. */
const fed = (file: string, ...more: readonly string[]) =>
  run(
    'slow.ts',
    ...['--data', at('hours.csv'), '--from', '2024-01-01T04:00:00Z', '--feed-data', `slow=${at(file)}`],
    ...more,
  )

/** Entries of a result: one for each kline that the feed showed before the last own kline closed. */
async function entriesOf(ended: ReturnType<typeof fed>): Promise<number> {
  const { exitCode, out, err } = await ended
  expect([exitCode, err]).toEqual([0, ''])
  return JSON.parse(out).fills.length
}

/** The lines of the report on klines that a market or a feed lacks. */
function noteOf({ exitCode, out }: Awaited<ReturnType<typeof fed>>): string | undefined {
  expect(exitCode).toBe(0)
  return /The (market|feed) "[^.]+ lacks [^.]+\./.exec(out.replaceAll(/\s+/g, ' '))?.[0]
}

describe('a file of klines for a feed', () => {
  it('is played over the time of the backtest, and what is longer is history or not shown', async () => {
    expect(await entriesOf(fed('4h.csv', '--json', '-'))).toBe(10)
    const half = ['--to', '2024-01-02T00:00:00Z']
    expect(await entriesOf(fed('4h.csv', ...half, '--json', '-'))).toBe(4)
  })

  it('is refused where its klines are longer, which would be shown before their end', async () => {
    expect(await fed('days.csv')).toEqual({
      ...{ exitCode: 2, out: '' },
      err: `${at('days.csv')}: The klines are of the interval 1d, not 4h: their open times all fit it.\n`,
    })
    // Also where gaps may be skipped: a series of days is one of hours with many gaps.
    expect(await fed('days.csv', '--gaps', 'skip')).toMatchObject({ exitCode: 2 })
  })

  it('is refused where its klines are shorter', async () => {
    expect(await fed('minutes.csv')).toEqual({
      ...{ exitCode: 2, out: '' },
      err: `${at('minutes.csv')}: No kline of 4h opens at 2024-01-01T00:01:00.000Z (UTC): the times fit the interval 1m.\n`,
    })
  })

  it.each([
    ['short.csv', '2024-01-01T00:00:00.000Z to 2024-01-02T16:00:00.000Z'],
    ['late.csv', '2024-01-01T08:00:00.000Z to 2024-01-02T20:00:00.000Z'],
  ])('is refused where it covers a part of the backtest only, as %s', async (file, has) => {
    expect(await fed(file)).toEqual({
      ...{ exitCode: 2, out: '' },
      err: `The klines of the feed "slow" (BTC/USDT 4h) must reach from 2024-01-01T04:00:00.000Z to 2024-01-02T20:00:00.000Z, as the strategy's own do, but ${at(file)} has them from ${has}. Shorten the backtest with --from and --to, or get the others.\n`,
    })
    expect(await entriesOf(fed(file, '--gaps', 'skip', '--json', '-'))).toBe(file === 'late.csv' ? 9 : 10)
    expect(noteOf(await fed(file, '--gaps', 'skip'))).toBe(
      'The feed "slow" lacks 1 of the 11 klines of the backtest.',
    )
  })

  it('is refused where it has gaps, which are skipped or filled as those of the own klines', async () => {
    expect(await fed('holed.csv')).toMatchObject({
      ...{ exitCode: 2, out: '' },
      err: expect.stringContaining(
        `${at('holed.csv')} lacks 2 klines in 1 gap:\n  2 klines from 2024-01-01T20:00:00.000Z\n`,
      ),
    })
    expect(await entriesOf(fed('holed.csv', '--gaps', 'skip', '--json', '-'))).toBe(8)
    expect(noteOf(await fed('holed.csv', '--gaps', 'skip'))).toBe(
      'The feed "slow" lacks 2 of the 11 klines of the backtest.',
    )
    expect(await entriesOf(fed('holed.csv', '--gaps', 'fill', '--json', '-'))).toBe(10)
  })
})

describe('stored klines of a feed', () => {
  it('that end before the backtest give way to those that its own klines make', async () => {
    const { exitCode, out, err } = await run('slow.ts', '--store', at('store'), '--json', '-')
    expect([exitCode, err]).toEqual([0, ''])
    expect(JSON.parse(out).fills).toHaveLength(11)
  })
})

describe('a file for', () => {
  const withOther = (...more: readonly string[]) =>
    run('pair.ts', '--data', at('hours.csv'), '--market', 'other=ETH/USDT', ...more)
  const paired = (...feedData: readonly string[]) =>
    withOther('--json', '-', ...feedData.flatMap(given => ['--feed-data', given]))

  it('a market is that of its feed of the same interval, and makes the longer ones, though one has its name', async () => {
    const { exitCode, out, err } = await paired(`other=${at('hours.csv')}`)
    expect([exitCode, err]).toEqual([0, ''])
    const bought = JSON.parse(out).fills.map(({ quantity }: { quantity: number }) => quantity)
    // Hours 1 to 47, and those of every fourth.
    expect([1, 2].map(size => bought.filter((one: number) => one === size).length)).toEqual([47, 11])
  })

  it.each([
    ['near', '--feed-data other=FILE'],
    ['own', '--data FILE'],
  ])(
    'the feed "%s", which shows what is traded on, is refused with what to name instead',
    async (name, instead) => {
      expect(await paired(`other=${at('hours.csv')}`, `${name}=${at('none.csv')}`)).toEqual({
        ...{ exitCode: 2, out: '' },
        err: `--feed-data names the feed "${name}", but it shows the klines that are traded on; name their file with ${instead}.\n`,
      })
    },
  )

  it('a market may lack klines where gaps are skipped, and the report says how many', async () => {
    write('part.csv', 60, 40, [0, 1, 2, 20])
    const skipped = ['--feed-data', `other=${at('part.csv')}`, '--gaps', 'skip']
    const said =
      'The market "other" (ETH/USDT) lacks 12 of the 48 klines of the backtest; it has those from 2024-01-01 03:00 to 2024-01-02 16:00 UTC.'
    const ended = await withOther(...skipped)
    expect(noteOf(ended)).toBe(said)
    expect(ended.out).toContain('Gaps: 3 skipped (12 klines)')
    const { out } = await withOther(...skipped, '--json', at('part.json'), '--html', at('part.html'))
    expect(out).toBe('')
    const { manifest } = JSON.parse(readFileSync(at('part.json'), 'utf8'))
    expect(manifest.markets[1].gaps).toEqual({ policy: 'skip', count: 3, missing: 12 })
    expect(readFileSync(at('part.html'), 'utf8')).toContain('lacks 12 of the 48 klines of the backtest')
    expect((await sluiceHere('backtest', '--verify', at('part.json'))).exitCode).toBe(0)
  })
})

describe('klines of a feed that are made of klines with gaps', () => {
  const whole = Array.from({ length: 6 }, () => 5)

  it.each([
    // Buys one more than the volume, which is one an hour.
    ['skip', [5, 4, 4, 5, ...whole]],
    ['fill', [5, 4, 4, 5, 1, ...whole]],
  ])('are shown all the same with --gaps %s', async (policy, bought) => {
    const quantities = async (...source: readonly string[]) => {
      const { exitCode, out } = await run('volume.ts', ...source, '--gaps', policy, '--json', '-')
      expect(exitCode).toBe(0)
      return JSON.parse(out).fills.map(({ quantity }: { quantity: number }) => quantity)
    }
    expect(await quantities('--data', at('gaps.csv'))).toEqual(bought)
    expect(await quantities('--store', at('gaps'))).toEqual(bought)
  })
})

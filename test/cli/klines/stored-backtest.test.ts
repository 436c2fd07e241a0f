import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readKlineFile } from '../../../src/klines/formats/read-kline-file.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import { sliceKlines } from '../../../src/klines/slice-klines.ts'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { scratchFolder } from '../../klines/store/scratch-store.ts'
import { sluiceHere } from '../backtest/in-process.ts'
import { START, waveCsv } from '../klines.ts'
import { fileWith } from '../sluice-process.ts'

const HOUR = 3_600_000
const SERIES = { venue: 'here', symbol: 'BTC/USDT', interval: '1h' } as const

/** A store with hourly klines on a wave; rows in `without` are absent. */
async function storedWave(count: number, without: readonly number[] = []) {
  const folder = scratchFolder()
  const csv = fileWith('wave.csv', waveCsv(count, without))
  const { columns } = await readKlineFile(csv)
  using writer = await new KlineStore(folder).klines(SERIES).openWriter()
  writer.merge(columns, 'test')
  return { folder, csv, columns }
}

const STRATEGY = ['strategies/sma-cross.ts', '--param', 'fast=2', '--param', 'slow=9']
const COMMAND = ['backtest', ...STRATEGY, '--symbol', 'BTC/USDT', '--interval', '1h']

function backtest(folder: string, ...more: readonly string[]) {
  return sluiceHere(...COMMAND, '--store', folder, ...more)
}

function sha256Of({ openTime, open, high, low, close, volume }: KlineColumns): string {
  const hash = createHash('sha256')
  for (const column of [openTime, open, high, low, close, volume]) hash.update(column)
  return hash.digest('hex')
}

describe('a backtest of stored klines', () => {
  it('finds what one of the file finds, over a month that ends in between', async () => {
    const { folder, csv, columns } = await storedWave(1000)
    const span = ['--from', '2024-01-10', '--to', '2024-02-05', '--json', '-']
    const [stored, file] = await Promise.all([
      backtest(folder, ...span),
      sluiceHere(...COMMAND, '--data', csv, ...span),
    ])
    expect(stored).toMatchObject({ exitCode: 0, err: '' })
    const { manifest, ...found } = JSON.parse(stored.out)
    const { manifest: fileManifest, ...fileFound } = JSON.parse(file.out)
    expect(found.fills.length).toBeGreaterThan(4)
    expect(found).toEqual(fileFound)
    const klines = sliceKlines(columns, { from: Date.UTC(2024, 0, 10), to: Date.UTC(2024, 1, 5) })
    const data = [{ file: 'BTC-USDT 1h of here', sha256: sha256Of(klines), klines: 26 * 24 }]
    const { from, to, config, code } = fileManifest
    expect(manifest).toMatchObject({ data, from, to, config, code, klines: 26 * 24 })
  })

  it('goes over all that is stored where no span is given', async () => {
    const { folder } = await storedWave(100)
    const { manifest } = JSON.parse((await backtest(folder, '--json', '-')).out)
    expect(manifest).toMatchObject({ klines: 100, from: START, to: START + 100 * HOUR })
  })

  it('fails over a gap, and does as it is told about it', async () => {
    const { folder } = await storedWave(100, [50])
    const { exitCode, err } = await backtest(folder)
    expect(exitCode).toBe(2)
    expect(err).toMatch(
      /^BTC\/USDT 1h of here lacks 1 kline in 1 gap:\n {2}1 kline from 2024-01-03T02:00:00\.000Z\nGet them,/,
    )
    const { manifest } = JSON.parse((await backtest(folder, '--gaps', 'fill', '--json', '-')).out)
    expect(manifest).toMatchObject({ klines: 100, gaps: { policy: 'fill', count: 1, missing: 1 } })
  })

  it('says what is there and how to get the rest where the span begins earlier or ends later', async () => {
    const { folder } = await storedWave(100)
    const { exitCode, err } = await backtest(folder, '--from', '2023-12-31', '--to', '2024-06-01')
    expect(exitCode).toBe(2)
    expect(err).toBe(
      `The store ${folder} has BTC/USDT 1h of here from 2024-01-01T00:00:00.000Z to 2024-01-05T03:00:00.000Z; it lacks the klines before 2024-01-01T00:00:00.000Z and the klines after 2024-01-05T03:00:00.000Z. Import it from your files, named in place of FILE (the stored ones are from the test):\n  npm run klines -- import FILE --venue here --symbol BTC/USDT --interval 1h --store ${folder}\nOr take what there is with --gaps skip.\n`,
    )
  })

  it('says what finer klines that end earlier reach over, and that works', async () => {
    const folder = scratchFolder()
    const generate = (interval: string, to: string) =>
      sluiceHere(
        ...['klines', 'generate', '--interval', interval, '--from', '2024-01-01', '--to', to],
        ...['--store', folder],
      )
    expect(await generate('15m', '2024-01-05')).toMatchObject({ exitCode: 0 })
    expect(await generate('1m', '2024-01-03T10:07')).toMatchObject({ exitCode: 0 })
    const run = (...more: readonly string[]) =>
      sluiceHere(
        ...['backtest', ...STRATEGY, '--symbol', 'BTC/USDT', '--interval', '15m', '--detail', '1m'],
        ...['--store', folder, ...more],
      )
    const { exitCode, err } = await run()
    expect(exitCode).toBe(2)
    // The last whole quarter of an hour before 10:07 ends at 10:00.
    expect(err).toContain('\nOr play only what they reach over, with --to 2024-01-03T10:00:00.000Z.\n')
    expect(err).not.toContain('--gaps skip')
    expect(err).not.toContain('klines -- download')
    expect(err).toContain(
      `npm run klines -- generate --symbol BTC/USDT --interval 1m --from 2024-01-01 --to 2024-01-05 --store ${folder}\n`,
    )
    expect(await run('--to', '2024-01-03T10:00:00.000Z')).toMatchObject({ exitCode: 0, err: '' })
  })

  it('names the generator for a finer interval of the made-up market, and that works', async () => {
    const folder = scratchFolder()
    const span = ['--from', '2024-01-01', '--to', '2024-01-05', '--store', folder]
    expect(await sluiceHere('klines', 'generate', '--interval', '15m', ...span)).toMatchObject({
      exitCode: 0,
    })
    const { err } = await sluiceHere(
      ...['backtest', ...STRATEGY, '--symbol', 'BTC/USDT', '--interval', '15m', '--detail', '5m'],
      ...['--store', folder],
    )
    const [, line = ''] = /npm run klines -- (generate .*)/.exec(err) ?? []
    expect(line).toBe(
      `generate --symbol BTC/USDT --interval 5m --from 2024-01-01 --to 2024-01-05 --store ${folder}`,
    )
    expect(await sluiceHere('klines', ...line.split(' '))).toMatchObject({ exitCode: 0 })
  })

  it('takes what there is of a span with --gaps skip', async () => {
    const { folder } = await storedWave(100)
    const span = ['--from', '2023-12-31', '--to', '2024-06-01', '--gaps', 'skip', '--json', '-']
    expect(JSON.parse((await backtest(folder, ...span)).out).manifest.klines).toBe(100)
  })

  it('takes a span that begins and ends between two klines as it is', async () => {
    const { folder } = await storedWave(48)
    const span = ['--from', '2023-12-31T23:30', '--to', '2024-01-02T23:30', '--json', '-']
    expect(JSON.parse((await backtest(folder, ...span)).out).manifest.klines).toBe(48)
  })

  it.each([
    [
      ['--symbol', 'ETH/USDT'],
      'has no ETH/USDT 1h; it has nothing of it. Download it:\n  npm run klines -- download --source binance --symbol ETH/USDT --interval 1h --from 2024-01-01',
    ],
    [
      ['--interval', '1m'],
      'has no BTC/USDT 1m; it has 1h of here. Import it from your files, named in place of FILE (the stored ones are from the test):\n  npm run klines -- import FILE --venue here --symbol BTC/USDT --interval 1m',
    ],
    [['--venue', 'there'], 'has no BTC/USDT 1h of there; it has 1h of here. Import it'],
    [['--from', '2030-01-01', '--gaps', 'skip'], 'it lacks the span that is asked for. Import it'],
  ])('says what is there and how to get what is not, for %j', async (more, sentence) => {
    const { folder } = await storedWave(10)
    const { exitCode, out, err } = await backtest(folder, ...more)
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
  })

  it('asks which venue is meant where several have the klines', async () => {
    const { folder, columns } = await storedWave(10)
    {
      using writer = await new KlineStore(folder).klines({ ...SERIES, venue: 'there' }).openWriter()
      writer.merge(columns, 'test')
    }
    expect((await backtest(folder)).err).toBe(
      `The store ${folder} has BTC/USDT 1h of here and there; say which with --venue.\n`,
    )
    expect(await backtest(folder, '--venue', 'there')).toMatchObject({ exitCode: 0, err: '' })
  })
})

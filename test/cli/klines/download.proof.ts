import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { klinesIn } from '../../../src/klines/kline-columns.ts'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { scratchFolder } from '../../klines/store/scratch-store.ts'
import { sluiceHere } from '../backtest/in-process.ts'
import { fileWith, sluice, startSluice } from '../sluice-process.ts'
import { klineExchange, klinesAt, NOW } from './kline-exchange.ts'

const HOUR = 3_600_000
const FROM = Date.UTC(2024, 0, 31, 20)
const SERIES = { venue: 'localhost', symbol: 'BTC/USDT', interval: '1m' } as const

function argsOf(url: string, store: string, ...more: readonly string[]): string[] {
  return [
    ...['klines', 'download', '--symbol', 'BTC/USDT', '--interval', '1m', '--from', '2024-01-31T20:00'],
    ...['--spot-url', url, '--store', store, ...more],
  ]
}

describe('klines download', () => {
  it('fetches what the exchange has, and the second time what has come since', async () => {
    const [{ url }, store] = [await klineExchange({ historyKlines: 6000 }), scratchFolder()]
    const first = await sluice(...argsOf(url, store, '--to', '2024-02-01T04:00'))
    expect(first).toEqual({
      exitCode: 0,
      err: '',
      out: `BTC/USDT 1m of localhost from 2024-01-31T20:00:00.000Z to 2024-02-01T04:00:00.000Z: 480 klines in ${store}/localhost/BTC-USDT/1m (480 new).\n`,
    })
    const series = new KlineStore(store).klines(SERIES)
    expect(klinesIn(series.read())).toEqual(await klinesAt(url, FROM, FROM + 8 * HOUR))
    const second = await sluice(...argsOf(url, store, '--to', '2024-02-01T05:00', '--json'))
    const lines = second.out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines).toEqual([
      { storedUntil: FROM + 9 * HOUR - 60_000 },
      {
        ...{ venue: 'localhost', symbol: 'BTC/USDT', series: '1m', from: FROM, to: FROM + 9 * HOUR },
        // One is asked for again.
        ...{ added: 60, revised: 0, unchanged: 1, klines: 540, gaps: 0, missing: 0 },
      },
    ])
  })

  it('goes up to the last kline that has closed, where no end is given', async () => {
    const [{ url }, store] = [await klineExchange({ historyKlines: 100 }), scratchFolder()]
    const { exitCode } = await sluice(...argsOf(url, store))
    expect(exitCode).toBe(0)
    const { openTime } = new KlineStore(store).klines(SERIES).read()
    const last = openTime.at(-1) ?? 0
    // The clock of the exchange goes on while the test runs.
    expect([last % 60_000, last + 60_000 <= NOW + 60_000, openTime.length >= 100]).toEqual([0, true, true])
  })

  it('begins as far back as the exchange has klines, where no beginning is given, and tells how far', async () => {
    const [{ url }, store] = [await klineExchange({ historyKlines: 1000 }), scratchFolder()]
    const { exitCode, out } = await sluiceHere(
      ...['klines', 'download', '--symbol', 'BTC/USDT', '--interval', '1m', '--spot-url', url],
      ...['--store', store, '--to', '2024-02-03'],
    )
    const first = new KlineStore(store).klines(SERIES).extent()?.first ?? 0
    expect(exitCode).toBe(0)
    // 1000 klines before the one that grows at 12:30.
    expect(first).toBe(Date.UTC(2024, 1, 2, 19, 50))
    expect(out).toContain('The exchange has no earlier ones: they begin at 2024-02-02T19:50:00.000Z.\n')
  })

  it('takes hours and days too, days that begin in UTC', async () => {
    const [{ url }, store] = [await klineExchange({ historyKlines: 5000 }), scratchFolder()]
    for (const interval of ['1h', '1d']) {
      expect(await sluice(...argsOf(url, store, '--interval', interval))).toMatchObject({
        exitCode: 0,
        err: '',
      })
    }
    const { openTime } = new KlineStore(store).klines({ ...SERIES, interval: '1d' }).read()
    expect([...openTime]).toEqual([Date.UTC(2024, 1, 1), Date.UTC(2024, 1, 2)])
  })

  it('stops at Ctrl-C with 130 and what it has, and then goes on', async () => {
    const [{ url }, store] = [await klineExchange({ delayMs: 40 }), scratchFolder()]
    const args = argsOf(url, store, '--from', '2024-01-28', '--to', '2024-02-03', '--json')
    const child = startSluice(...args)
    const lines = createInterface(child.stdout)
    const [line] = await once(lines, 'line')
    child.kill('SIGINT')
    const [[exitCode], [err]] = await Promise.all([once(child, 'close'), once(child.stderr, 'data')])
    expect(exitCode).toBe(130)
    expect(String(err)).toBe(
      'Stopped. The fetched klines are stored, and the same command continues from there.\n',
    )
    const series = new KlineStore(store).klines(SERIES)
    const stored = series.read().length
    expect(series.extent()?.last).toBeGreaterThanOrEqual(JSON.parse(line).storedUntil)
    expect(stored).toBeLessThan(8640)
    const { out } = await sluice(...args)
    expect(JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      added: 8640 - stored,
      klines: 8640,
    })
    expect(readdirSync(join(series.folder)).sort()).toEqual(['.lock', '2024-01.arrow', '2024-02.arrow'])
  })

  it('reads an exchange by its profile, into a folder of that name', async () => {
    const [{ url }, store] = [
      await klineExchange({ historyKlines: 100, dialect: 'koinbay' }),
      scratchFolder(),
    ]
    const args = ['klines', 'download', '--symbols', 'BTC/USDT', '--interval', '1m', '--store', store]
    expect(await sluiceHere(...args, '--profile', 'koinbay', '--spot-url', url)).toMatchObject({
      exitCode: 0,
      err: '',
    })
    const { openTime } = new KlineStore(store).klines({ ...SERIES, venue: 'koinbay' }).read()
    expect(openTime.length).toBeGreaterThanOrEqual(100)
  })

  it('asks a host that is given by its URL alone at which path and version it answers', async () => {
    const [{ url }, store] = [
      await klineExchange({ historyKlines: 100, dialect: 'bitbaby' }),
      scratchFolder(),
    ]
    const { origin } = new URL(url)
    const { exitCode, err } = await sluiceHere(
      ...['klines', 'download', '--symbol', 'BTC/USDT', '--interval', '1m', '--from', '2024-01-31T20:00'],
      ...['--profile', origin, '--store', store],
    )
    expect([exitCode, err]).toEqual([0, ''])
    expect(new KlineStore(store).klines(SERIES).read().openTime.length).toBeGreaterThanOrEqual(100)
  })

  it('says that a host that is given by its URL alone answers nowhere', async () => {
    const server = createServer((_, answer) => void answer.writeHead(404).end())
    onTestFinished(() => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const args = ['--symbol', 'BTC/USDT', '--interval', '1m', '--profile', url, '--store', scratchFolder()]
    expect(await sluiceHere('klines', 'download', ...args)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining(`The host ${url} tells its time at no known path`),
    })
  })

  it.each([
    [
      ['--config', 'config/paper.yaml'],
      'The venue in config/paper.yaml is the simulated exchange inside a bot, which has nothing to read; give --profile, --spot-url or --futures-url, or a --config whose venue is an exchange.',
    ],
    [['--spot-url', 'ftp://a'], 'ftp://a'],
    [
      ['--symbol', 'E-BTC-USDT', '--spot-url', 'http://127.0.0.1:9'],
      'E-BTC-USDT is a futures contract; give --futures-url or --profile.',
    ],
    [['--profile', 'bitrue'], 'BTC/USDT is a pair of a spot host, and the profile bitrue names no such host'],
    [['--profile', 'koinbai'], 'No profile is called "koinbai". Did you mean "koinbay"?'],
    [
      ['--profile', 'koinbay', '--symbol', 'E-BTC-USDT', '--interval', '1h'],
      'KoinBay (profile koinbay) has no klines of 1h; download those of 30m',
    ],
    [
      ['--profile', 'koinbay', '--symbol', 'E-BTC-USDT', '--interval', '4h'],
      'KoinBay (profile koinbay) has no klines of 4h; download those of 30m',
    ],
    [
      ['--profile', 'fameex', '--symbol', 'E-BTC-USDT', '--interval', '1h'],
      'FameEX (profile fameex) has no futures klines of 1h, nor any that they could be made of; download those of another exchange, or import files.',
    ],
    [['--symbol', 'btc/usdt', '--spot-url', 'http://127.0.0.1:9'], '"btc/usdt" is not a symbol'],
    [
      ['--interval', '4h', '--spot-url', 'http://127.0.0.1:9'],
      'The exchange has no klines of 4h; download those of 1h, of which backtests make them.',
    ],
    [
      ['--to', '2023-01-01', '--spot-url', 'http://127.0.0.1:9'],
      'There is nothing from 2024-01-31T00:00:00.000Z to 2023-01-01T00:00:00.000Z',
    ],
    [['--venue', 'A', '--spot-url', 'http://127.0.0.1:9'], '"A" cannot be a venue'],
  ])('refuses %j with exit code 2', async (more, sentence) => {
    const { exitCode, out, err } = await sluiceHere(
      ...['klines', 'download', '--symbol', 'BTC/USDT', '--interval', '1m', '--from', '2024-01-31', ...more],
    )
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
  })

  it('reads its exchange from the configuration of a bot, for which it needs no key', async () => {
    const [{ url }, store] = [await klineExchange({ historyKlines: 100 }), scratchFolder()]
    const strategies = '[{ file: a.ts, symbol: BTC/USDT, interval: 1m, size: { quote: 1 } }]'
    const config = fileWith(
      'bot.yaml',
      `venue: { type: exchange, spotUrl: "${url}" }\nstrategies: ${strategies}\n`,
    )
    const { exitCode, err } = await sluice(
      ...['klines', 'download', '--symbol', 'BTC/USDT', '--interval', '1m', '--from', '2024-02-03T12:00'],
      ...['--config', config, '--store', store, '--venue', 'mine'],
    )
    expect([exitCode, err]).toEqual([0, ''])
    expect(new KlineStore(store).klines({ ...SERIES, venue: 'mine' }).read().length).toBeGreaterThanOrEqual(
      30,
    )
  })
})

import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TICK_HEADERS } from '../../../src/klines/record/tick-recorder.ts'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { FakeHost } from '../../bot/paper/fake-host.ts'
import { scratchFolder } from '../../klines/store/scratch-store.ts'
import { sluiceHere } from '../backtest/in-process.ts'
import { klineExchange, NOW } from '../klines/kline-exchange.ts'
import { startSluice } from '../sluice-process.ts'

const DAY = '2024-02-03'

/** Rows of a file of ticks, all of them whole; none if there is no file. */
function rowsOf(store: string, kind: 'top' | 'gaps'): readonly string[] {
  const path = join(store, 'localhost/BTC-USDT/ticks', `${DAY}.${kind}.csv`)
  // A recorder creates the file before it writes the header.
  if (!existsSync(path) || statSync(path).size === 0) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  expect([lines[0], lines.at(-1)]).toEqual([TICK_HEADERS[kind], ''])
  return lines.slice(1, -1)
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(20)
}

describe('record', () => {
  it.each([
    ['BTC/USD', 'The host does not list BTC/USD. Did you mean "BTC/USDT"?'],
    ['E-BTC-USDC', 'The host does not list E-BTC-USDC. Did you mean "E-BTC-USDT"?'],
    ['BTC/USDT,DOGE/EUR', 'The host does not list DOGE/EUR. It lists BTC/USDT.'],
    [
      'BTC_USDT',
      '"BTC_USDT" is not a symbol: write BASE/QUOTE, such as BTC/USDT, or a contract, such as E-BTC-USDT, in capitals.',
    ],
  ])('refuses %s, which the host does not list, with exit code 2', async (symbols, sentence) => {
    const host = await new FakeHost().listen()
    onTestFinished(() => host.close())
    const hosts = ['--spot-url', host.url, '--futures-url', host.url]
    const store = scratchFolder()
    const { exitCode, out, err } = await sluiceHere(
      'record',
      '--symbols',
      symbols,
      ...hosts,
      '--store',
      store,
    )
    expect([exitCode, out, err]).toEqual([2, '', `${sentence}\n`])
  })

  it('says how a pair is written where BTCUSDT would be a contract of a host that is not given', async () => {
    const url = 'http://127.0.0.1:9'
    const { exitCode, err } = await sluiceHere('record', '--symbols', 'BTCUSDT', '--spot-url', url)
    expect([exitCode, err]).toEqual([
      2,
      'BTCUSDT is a futures contract; give --futures-url or --profile. A pair is written with a slash: BTC/USDT.\n',
    ])
  })

  it('loses nothing written to a kill, goes on with a gap, and ends in order at Ctrl-C', async () => {
    expect(new Date(NOW).toISOString().slice(0, 10)).toBe(DAY)
    const [{ url }, store] = [await klineExchange({ historyKlines: 50 }), scratchFolder()]
    const args = ['record', '--symbols', 'BTC/USDT', '--spot-url', url, '--every', '200ms', '--store', store]
    const first = startSluice(...args)
    await until(() => rowsOf(store, 'top').length >= 3)
    first.kill('SIGKILL')
    await once(first, 'close')
    const kept = rowsOf(store, 'top')
    const second = startSluice(...args)
    const [out, closed] = [text(second.stdout), once(second, 'close')]
    await until(() => rowsOf(store, 'top').length > kept.length)
    second.kill('SIGINT')
    expect(await closed).toEqual([0, null])
    expect(await out).toMatch(
      /^Recording BTC\/USDT into .*: trades, order books and klines\.\nBTC\/USDT lacks .*: The recorder was not running\.\nRecorded BTC\/USDT: \d+ trades, \d+ order books?, 1 gap\.\n$/,
    )
    expect(rowsOf(store, 'top').slice(0, kept.length)).toEqual(kept)
    expect(rowsOf(store, 'gaps')).toHaveLength(1)
    const klines = new KlineStore(store).klines({ venue: 'localhost', symbol: 'BTC/USDT', interval: '1m' })
    expect(klines.read().length).toBeGreaterThanOrEqual(50)
  }, 30_000)

  it('shows its reads and their weight, and sends nothing', async () => {
    const args = ['--symbols', 'BTC/USDT,E-BTC-USDT', '--profile', 'koinbay', '--plan', '--json']
    const { exitCode, out, err } = await sluiceHere('record', ...args)
    const { weight, polls } = JSON.parse(out)
    expect([exitCode, err]).toEqual([0, ''])
    // Trades and depth of a pair weigh 5 each (section 4.1); those of contracts have no stated weight, which counts as 1.
    expect(polls.map((poll: { endpoint: string; weight: number }) => [poll.endpoint, poll.weight])).toEqual([
      ['spotTrades', 5],
      ['spotDepth', 5],
      ['futuresDepth', 1],
      ['futuresIndex', 1],
    ])
    expect(weight.perMinute).toBe(60 * 12)
  })

  it.each([
    [['--symbols', 'BTC/USDT'], 'BTC/USDT is a pair of a spot host; give --spot-url or --profile.'],
    [
      ['--symbols', 'btc', '--spot-url', 'http://127.0.0.1:9', '--futures-url', 'http://127.0.0.1:9'],
      '"btc" is not a symbol',
    ],
    [['--symbols', 'BTC/USDT', '--profile', 'koinbay', '--interval', '7m'], '"7m" is not an interval'],
    [
      ['--symbols', 'BTC/USDT', '--profile', 'koinbay', '--levels', '500'],
      'Give a whole number from 1 to 100.',
    ],
  ])('refuses %j with exit code 2', async (args, sentence) => {
    const { exitCode, out, err } = await sluiceHere('record', ...args)
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
  })
})

import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { type ArchiveServer, archiveServer, klineRows } from '../../klines/archive/archive-server.ts'
import { scratchFolder } from '../../klines/store/scratch-store.ts'
import { sluiceHere } from '../backtest/in-process.ts'
import { startSluice } from '../sluice-process.ts'

const DAY = 86_400_000
const NAME = 'BTCUSDT-1d'
const MONTHLY = `data/spot/monthly/klines/BTCUSDT/1d/${NAME}`
const DAILY = `data/spot/daily/klines/BTCUSDT/1d/${NAME}`
const SPAN = ['--interval', '1d', '--from', '2024-12-30', '--to', '2025-02-04']

function days(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, day) => from + day * DAY)
}

/** December 2024 in ms, January 2025 in µs, and three of the first four days of February, as that month is not over. */
async function archive(): Promise<ArchiveServer> {
  const server = await archiveServer()
  server.put(`${MONTHLY}-2024-12.zip`, klineRows(days(Date.UTC(2024, 11, 1), 31), DAY))
  server.put(`${MONTHLY}-2025-01.zip`, klineRows(days(Date.UTC(2025, 0, 1), 31), DAY, 1000))
  for (const day of [1, 2, 4])
    server.put(`${DAILY}-2025-02-0${day}.zip`, klineRows([Date.UTC(2025, 1, day)], DAY, 1000))
  return server
}

function argsOf({ url }: ArchiveServer, store: string, ...more: readonly string[]): string[] {
  return [
    ...['klines', 'download', '--source', 'binance', '--archive-url', url, '--store', store],
    ...['--symbols', 'BTC/USDT', ...more],
  ]
}

const seriesIn = (store: string) =>
  new KlineStore(store).klines({ venue: 'binance', symbol: 'BTC/USDT', interval: '1d' })

describe('klines download --source binance', () => {
  it('stores months, days of a month that is not published, and reports the day without a file', async () => {
    const [server, store] = [await archive(), scratchFolder()]
    expect(await sluiceHere(...argsOf(server, store, ...SPAN))).toEqual({
      exitCode: 0,
      err: '',
      out:
        `BTC/USDT 1d of binance from 2024-12-30T00:00:00.000Z to 2025-02-04T00:00:00.000Z in ${store}/binance/BTC-USDT/1d: 35 new.\n` +
        'The archive has no file for 2025-02-03T00:00:00.000Z to 2025-02-04T00:00:00.000Z.\n',
    })
    const { openTime, close } = seriesIn(store).read()
    expect([...openTime]).toEqual([...days(Date.UTC(2024, 11, 30), 33), ...days(Date.UTC(2025, 1, 1), 2)])
    // The 30th of its month is its row 29, at 105 + 29.
    expect([...close.slice(0, 3)]).toEqual([134, 135, 105])
    expect(readdirSync(`${store}/binance/BTC-USDT/1d`).sort()).toEqual([
      ...['.lock', '2024-12.arrow', '2025-01.arrow', '2025-02.arrow'],
    ])
  })

  it('asks the second time only for what is not there', async () => {
    const [server, store] = [await archive(), scratchFolder()]
    await sluiceHere(...argsOf(server, store, ...SPAN))
    server.asked.length = 0
    const { exitCode, out } = await sluiceHere(...argsOf(server, store, ...SPAN, '--json'))
    expect([exitCode, JSON.parse(out)]).toMatchObject([
      0,
      { added: 0, absent: [{ from: Date.UTC(2025, 1, 3), to: Date.UTC(2025, 1, 4) }] },
    ])
    expect(server.asked).toEqual([`${MONTHLY}-2025-02.zip`, `${DAILY}-2025-02-03.zip`])
  })

  it('fetches a month again of which only a part was asked for before', async () => {
    const [server, store] = [await archive(), scratchFolder()]
    await sluiceHere(...argsOf(server, store, ...SPAN))
    const { exitCode } = await sluiceHere(...argsOf(server, store, ...SPAN, '--from', '2024-12-01'))
    // All 31 days of December, 31 of January, two of February.
    expect([exitCode, seriesIn(store).read().length]).toEqual([0, 64])
  })

  it('goes on after a kill where it was', async () => {
    const [server, store] = [await archive(), scratchFolder()]
    const stuck = new Promise<void>(resolve => {
      server.fail(`${MONTHLY}-2025-01.zip`, (response, bytes) => {
        response.writeHead(200, { 'content-length': bytes.length })
        response.write(bytes.subarray(0, 100), () => resolve())
      })
    })
    const child = startSluice(...argsOf(server, store, ...SPAN))
    await stuck
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(seriesIn(store).read().length).toBe(2)
    server.asked.length = 0
    expect(await sluiceHere(...argsOf(server, store, ...SPAN))).toMatchObject({ exitCode: 0, err: '' })
    expect(seriesIn(store).read().length).toBe(35)
    expect(server.asked[0]).toBe(`${MONTHLY}-2025-01.zip`)
    expect(readdirSync(`${store}/binance/BTC-USDT/1d`).some(name => name.endsWith('.tmp'))).toBe(false)
  })

  it('takes contracts and their funding, whose files have headers', async () => {
    const [server, store] = [await archiveServer(), scratchFolder()]
    const root = 'data/futures/um/monthly'
    const header =
      'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore\n'
    const from = Date.UTC(2024, 0, 1)
    server.put(`${root}/klines/ETHUSDT/1d/ETHUSDT-1d-2024-01.zip`, header + klineRows(days(from, 31), DAY))
    server.put(
      `${root}/fundingRate/ETHUSDT/ETHUSDT-fundingRate-2024-01.zip`,
      `calc_time,funding_interval_hours,last_funding_rate\n${from},8,0.00037409\n${from + DAY / 3},8,-0.0001\n`,
    )
    const args = argsOf(
      server,
      store,
      '--symbols',
      'E-ETH-USDT',
      '--from',
      '2024-01-01',
      '--to',
      '2024-02-01',
    )
    expect(await sluiceHere(...args, '--interval', '1d')).toMatchObject({ exitCode: 0, err: '' })
    expect(await sluiceHere(...args, '--type', 'funding')).toMatchObject({ exitCode: 0, err: '' })
    const market = { venue: 'binance', symbol: 'E-ETH-USDT' }
    expect(new KlineStore(store).klines({ ...market, interval: '1d' }).read().length).toBe(31)
    const { time, rate } = new KlineStore(store).funding(market).read()
    expect([[...time], [...rate]]).toEqual([
      [from, from + DAY / 3],
      [0.00037409, -0.0001],
    ])
    server.asked.length = 0
    expect(await sluiceHere(...args, '--type', 'funding')).toMatchObject({ exitCode: 0, err: '' })
    expect(server.asked).toEqual([])
  })

  it('takes trades by days, and aggregate trades into a series of their own', async () => {
    const [server, store] = [await archiveServer(), scratchFolder()]
    const from = Date.UTC(2024, 0, 1)
    server.put(
      'data/spot/daily/trades/BTCUSDT/BTCUSDT-trades-2024-01-01.zip',
      `7,100.5,0.25,25.125,${from + 1},False,True\n8,100.25,1,100.25,${from + 1},True,True\n`,
    )
    server.put(
      'data/spot/monthly/aggTrades/BTCUSDT/BTCUSDT-aggTrades-2024-01.zip',
      `3,100.5,1.25,7,8,${from + 1},False,True\n4,100.5,1,9,9,${from + DAY},False,True\n`,
    )
    const span = ['--from', '2024-01-01', '--to', '2024-01-02']
    expect(await sluiceHere(...argsOf(server, store, ...span, '--type', 'trades'))).toMatchObject({
      exitCode: 0,
    })
    expect(await sluiceHere(...argsOf(server, store, ...span, '--type', 'aggTrades'))).toMatchObject({
      exitCode: 0,
    })
    const tradesOf = (venue: string) => new KlineStore(store).trades({ venue, symbol: 'BTC/USDT' }).read()
    const { id, price, quantity, side } = tradesOf('binance')
    expect([[...id], [...price], [...quantity], [...side]]).toEqual([
      [7, 8],
      [100.5, 100.25],
      [0.25, 1],
      [1, -1],
    ])
    expect([...tradesOf('binance-aggregates').id]).toEqual([3])
  })

  it.each([
    [[], 'The archive needs a first day; give it with --from'],
    [['--from', '2024-01-01'], 'Klines need an interval'],
    [['--from', '2024-01-01', '--type', 'trades', '--interval', '1m'], 'leave it out for trades'],
    [['--from', '2024-01-01', '--type', 'funding'], 'BTC/USDT is traded on spot, which has no funding'],
    [
      ['--from', '2024-01-01', '--to', '2024-01-03', '--interval', '1d'],
      'has no spot klines of BTCUSDT from 2024-01-01T00:00:00.000Z to 2024-01-03T00:00:00.000Z; check the symbol',
    ],
  ])('refuses %j with exit code 2', async (more, sentence) => {
    const { exitCode, out, err } = await sluiceHere(
      ...argsOf(await archiveServer(), scratchFolder(), ...more),
    )
    expect([exitCode, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
  })
})

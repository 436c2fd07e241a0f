import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fundingAdvice, klinesAdvice } from '../../src/cli/klines-advice.ts'
import { KlineStore } from '../../src/klines/store/kline-store.ts'
import { archiveServer, klineRows } from '../klines/archive/archive-server.ts'
import { klinesOf, minutes, scratchFolder } from '../klines/store/scratch-store.ts'
import { sluiceHere } from './backtest/in-process.ts'
import { klineExchange } from './klines/kline-exchange.ts'

const DAY = 86_400_000
const FROM = Date.UTC(2024, 0, 1)
const TO = FROM + 3 * DAY
const BTC = { symbol: 'BTC/USDT', interval: '1d', from: FROM, to: TO } as const

/** Words of the command in an advice. */
function commandIn(advice: string): readonly string[] {
  const [, line = ''] = /\n {2}npm run (klines -- .*)$/m.exec(advice) ?? []
  return line.replace(' --', '').split(' ')
}

/** A store with minutes of a venue that came from somewhere. */
async function storeFrom(venue: string, source: string, symbol = 'BTC/USDT') {
  const store = scratchFolder()
  using writer = await new KlineStore(store).klines({ venue, symbol, interval: '1m' }).openWriter()
  writer.merge(klinesOf(minutes(FROM, 3)), source)
  return store
}

function adviceFor(store: string, lacking: object = {}): string {
  return klinesAdvice(new KlineStore(store), { ...BTC, store, ...lacking })
}

describe('klinesAdvice', () => {
  it.each(['BTC/USDT', 'E-BTC-USDT'])(
    'names the archive of Binance for %s where nothing is known, and that works',
    async symbol => {
      const [server, store] = [await archiveServer(), scratchFolder()]
      const market = symbol === 'BTC/USDT' ? 'spot' : 'futures/um'
      const rows = klineRows(
        [0, 1, 2].map(day => FROM + day * DAY),
        DAY,
      )
      server.put(`data/${market}/monthly/klines/BTCUSDT/1d/BTCUSDT-1d-2024-01.zip`, rows)
      const words = commandIn(adviceFor(store, { symbol }))
      expect(words.join(' ')).toBe(
        `klines download --source binance --symbol ${symbol} --interval 1d --from 2024-01-01 --to 2024-01-04 --store ${store}`,
      )
      expect(await sluiceHere(...words, '--archive-url', server.url)).toMatchObject({ exitCode: 0, err: '' })
      expect(new KlineStore(store).klines({ venue: 'binance', symbol, interval: '1d' }).read().length).toBe(3)
    },
  )

  it('names the exchange that the stored klines are from, and that works', async () => {
    const { url } = await klineExchange({ historyKlines: 100 })
    const store = await storeFrom('mine', `spot klines of ${url}`)
    const words = commandIn(
      adviceFor(store, { interval: '1m', from: Date.UTC(2024, 1, 3, 12), to: undefined }),
    )
    expect(words.join(' ')).toBe(
      `klines download --profile ${url} --venue mine --symbol BTC/USDT --interval 1m --from 2024-02-03T12:00:00.000Z --store ${store}`,
    )
    expect(await sluiceHere(...words)).toMatchObject({ exitCode: 0, err: '' })
  })

  it.each([
    [
      'koinbay',
      'spot klines of https://openapi.koinbay.com',
      '--profile koinbay --symbol BTC/USDT --interval 1h',
    ],
    ['openapi.zke.com', 'file a.csv', '--profile https://openapi.zke.com --symbol BTC/USDT --interval 1h'],
    ['binance', 'file a.zip', '--source binance --symbol BTC/USDT --interval 4h'],
  ])('names the source of the venue %s, with an interval that it has', async (venue, source, words) => {
    const store = await storeFrom(venue, source)
    const command = commandIn(adviceFor(store, { interval: '4h' }))
    expect(command.join(' ')).toBe(
      `klines download ${words} --from 2024-01-01 --to 2024-01-04 --store ${store}`,
    )
    // Its options are all known: what it lacks is a server.
    const { err } = await sluiceHere(...command, '--spot-url', 'ftp://a', '--archive-url', 'ftp://a')
    expect(err).toMatch(/"?ftp:\/\/a/)
  })

  it('names half hours for the futures of a host that has no hours', async () => {
    const symbol = 'E-BTC-USDT'
    const source = 'futures klines of https://futuresopenapi.koinbay.com'
    const command = commandIn(
      adviceFor(await storeFrom('koinbay', source, symbol), { symbol, interval: '1h' }),
    )
    expect(command.join(' ')).toContain('--profile koinbay --symbol E-BTC-USDT --interval 30m ')
  })

  it('names an import for klines that came from files, and that works', async () => {
    const store = await storeFrom('here', 'file minutes.csv')
    const advice = adviceFor(store, { interval: '1m' })
    expect(advice).toContain('(the stored ones are from the file minutes.csv)')
    const file = join(store, 'more.csv')
    mkdirSync(store, { recursive: true })
    writeFileSync(file, `idx,open,high,low,close,vol\n${FROM + 180_000},1,2,1,2,3\n`)
    const words = commandIn(advice).map(word => (word === 'FILE' ? file : word))
    expect(await sluiceHere(...words)).toMatchObject({ exitCode: 0, err: '' })
    const { openTime } = new KlineStore(store)
      .klines({ venue: 'here', symbol: 'BTC/USDT', interval: '1m' })
      .read()
    expect(openTime.length).toBe(4)
  })
})

describe('fundingAdvice', () => {
  it('names the archive of Binance for its funding, and that works', async () => {
    const [server, store] = [await archiveServer(), scratchFolder()]
    server.put(
      'data/futures/um/monthly/fundingRate/BTCUSDT/BTCUSDT-fundingRate-2024-01.zip',
      `calc_time,funding_interval_hours,last_funding_rate\n${FROM},8,0.0001\n`,
    )
    const words = commandIn(
      fundingAdvice({ store, venue: 'binance', symbol: 'E-BTC-USDT', from: FROM, to: FROM }),
    )
    expect(words.join(' ')).toBe(
      `klines download --source binance --type funding --symbol E-BTC-USDT --from 2024-01-01 --to 2024-01-02 --store ${store}`,
    )
    expect(await sluiceHere(...words, '--archive-url', server.url)).toMatchObject({ exitCode: 0, err: '' })
  })
})

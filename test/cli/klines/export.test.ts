import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readKlineFile } from '../../../src/klines/formats/read-kline-file.ts'
import { klinesIn } from '../../../src/klines/kline-columns.ts'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { BTC, klinesOf, MINUTE, minutes, scratchFolder } from '../../klines/store/scratch-store.ts'
import { sluiceHere } from '../backtest/in-process.ts'
import { fileWith } from '../sluice-process.ts'

const START = Date.UTC(2018, 0, 31, 23, 58)
const KLINES = ['--symbol', 'BTC/USDT', '--interval', '1m'] as const

async function storeOf(openTimes: readonly number[]): Promise<string> {
  const folder = scratchFolder()
  using writer = await new KlineStore(folder).klines(BTC).openWriter()
  writer.merge(klinesOf(openTimes), 'test')
  return folder
}

describe('klines export', () => {
  it.each(['k.csv', 'k.csv.gz', 'k.arrow', 'k.feather', 'k.parquet'])(
    'writes %s that is read back as it is stored',
    async name => {
      const openTimes = [...minutes(START, 3), START + 4 * MINUTE]
      const [store, folder] = [await storeOf(openTimes), scratchFolder()]
      const file = join(folder, name)
      expect(await sluiceHere('klines', 'export', file, ...KLINES, '--store', store)).toEqual({
        exitCode: 0,
        err: '',
        out: `${file}: 4 klines, BTC/USDT 1m of here, from 2018-01-31T23:58:00.000Z to 2018-02-01T00:02:00.000Z, 1 absent in 1 gap.\n`,
      })
      expect(klinesIn((await readKlineFile(file)).columns)).toEqual(klinesIn(klinesOf(openTimes)))
      expect(readdirSync(folder)).toEqual([name])
    },
  )

  it('writes a span, and packs where the name says so', async () => {
    const [store, file] = [await storeOf(minutes(START, 4)), join(scratchFolder(), 'k.csv.gz')]
    const span = ['--from', '2018-01-31T23:59', '--to', '2018-02-01T00:01']
    const { out } = await sluiceHere('klines', 'export', file, ...KLINES, '--store', store, ...span, '--json')
    const expected = { first: START + MINUTE, last: START + 2 * MINUTE, gaps: 0, missing: 0 }
    expect(JSON.parse(out)).toEqual({ file, klines: 2, ...expected })
    expect(gunzipSync(readFileSync(file)).toString()).toMatch(/^idx,open,high,low,close,vol\n1517443140000,/)
  })

  it('leaves an old file as it is where it cannot write', async () => {
    const [store, old] = [await storeOf(minutes(START, 2)), fileWith('k.csv', 'old')]
    const [wrong, unknown] = [join(old, 'k.csv'), join(dirname(old), 'k.txt')]
    expect(await sluiceHere('klines', 'export', wrong, ...KLINES, '--store', store)).toMatchObject({
      exitCode: 2,
      out: '',
    })
    expect(await sluiceHere('klines', 'export', unknown, ...KLINES, '--store', store)).toEqual({
      exitCode: 2,
      out: '',
      err: `${unknown} has no known file extension; use .csv, .csv.gz, .arrow, .feather or .parquet.\n`,
    })
    expect([readFileSync(old, 'utf8'), readdirSync(dirname(old))]).toEqual(['old', ['k.csv']])
  })

  it('refuses what is not in the store, and says what is', async () => {
    const store = await storeOf(minutes(START, 2))
    const { exitCode, err } = await sluiceHere(
      'klines',
      'export',
      'k.csv',
      '--symbol',
      'BTC/USDT',
      '--interval',
      '1h',
      '--store',
      store,
    )
    expect(exitCode).toBe(2)
    expect(err).toContain(`The store ${store} has no BTC/USDT 1h; it has 1m of here.`)
  })
})

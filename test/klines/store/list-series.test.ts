import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { BTC, klinesOf, MINUTE, minutes, scratchStore } from './scratch-store.ts'

const FEBRUARY = Date.UTC(2024, 1, 1)

describe('the list of a store', () => {
  it('is empty where there is none', () => {
    expect(new KlineStore('no-such-folder').list()).toEqual({ series: [], damaged: [] })
  })

  it('has every series with its extent, rows and size', async () => {
    const { store, series } = scratchStore()
    using writer = await series.openWriter()
    writer.merge(klinesOf(minutes(FEBRUARY - 3 * MINUTE, 10)), 'test')
    using months = await store.klines({ ...BTC, interval: '1M' }).openWriter()
    months.merge(klinesOf([Date.UTC(2023, 11, 1), Date.UTC(2024, 1, 1)]), 'test')
    using funding = await store.funding({ venue: 'there', symbol: 'E-BTC-USDT' }).openWriter()
    funding.merge({ length: 1, time: Float64Array.of(7), rate: Float64Array.of(0) }, 'test')
    const bytes = ['2024-01.arrow', '2024-02.arrow'].map(file => statSync(join(series.folder, file)).size)
    const { venue, symbol } = BTC
    expect(store.list()).toEqual({
      series: [
        {
          venue,
          symbol,
          series: '1m',
          first: FEBRUARY - 3 * MINUTE,
          last: FEBRUARY + 6 * MINUTE,
          rows: 10,
          gaps: 0,
          missing: 0,
          files: 2,
          bytes: (bytes[0] ?? 0) + (bytes[1] ?? 0),
        },
        expect.objectContaining({ venue, symbol, series: '1M', rows: 2, gaps: 1, missing: 1 }),
        expect.objectContaining({
          venue: 'there',
          symbol: 'E-BTC-USDT',
          series: 'funding',
          gaps: undefined,
          rows: 1,
        }),
      ],
      damaged: [],
    })
  })

  it.each([
    ['within a month', [0, 1, 3, 7], 2, 4],
    ['between months', [-2, 1], 1, 2],
    ['within and between', [-4, -2, 2, 4], 3, 5],
    ['nowhere', [-1, 0], 0, 0],
  ])('counts gaps %s', async (_, at, gaps, missing) => {
    const { store, series } = scratchStore()
    using writer = await series.openWriter()
    writer.merge(klinesOf(at.map(minute => FEBRUARY + minute * MINUTE)), 'test')
    expect(store.list().series).toMatchObject([{ gaps, missing, rows: at.length }])
  })

  it('names damaged files, and lists the others', async () => {
    const { folder, store, series } = scratchStore()
    using writer = await series.openWriter()
    writer.merge(klinesOf(minutes(FEBRUARY - MINUTE, 2)), 'test')
    const damaged = join(series.folder, '2024-01.arrow')
    writeFileSync(damaged, 'nothing')
    // What is no part of a store is none of its business.
    mkdirSync(join(folder, 'here', 'BTC-USDT', 'notes'))
    writeFileSync(join(folder, 'readme.txt'), '')
    const { series: list, damaged: sentences } = store.list()
    expect(list).toMatchObject([{ symbol: 'BTC/USDT', rows: 1, first: FEBRUARY }])
    expect(sentences).toEqual([
      expect.stringContaining(`The file ${damaged} of the kline store cannot be used:`),
    ])
  })
})

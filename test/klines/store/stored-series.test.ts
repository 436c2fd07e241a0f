import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { describe, expect, it } from 'vitest'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { BTC, klinesOf, MINUTE, minutes, scratchFolder, scratchStore } from './scratch-store.ts'

const FEBRUARY = Date.UTC(2024, 1, 1)

describe('a series of the store', () => {
  it('gives back what was stored, across the border of a month', async () => {
    const { series } = scratchStore()
    const klines = klinesOf(minutes(FEBRUARY - 5 * MINUTE, 10))
    using writer = await series.openWriter()
    expect(writer.merge(klines, 'test')).toEqual({ added: 10, revised: 0, unchanged: 0 })
    expect(readdirSync(series.folder).sort()).toEqual(['.lock', '2024-01.arrow', '2024-02.arrow'])
    expect(series.read()).toEqual(klines)
    expect(series.extent()).toEqual({ first: FEBRUARY - 5 * MINUTE, last: FEBRUARY + 4 * MINUTE })
  })

  it.each([
    [{}, -5, 10],
    [{ from: FEBRUARY }, 0, 5],
    [{ from: FEBRUARY - 1 }, 0, 5],
    [{ to: FEBRUARY }, -5, 5],
    [{ to: FEBRUARY + 1 }, -5, 6],
    [{ from: FEBRUARY - 2 * MINUTE, to: FEBRUARY + 3 * MINUTE }, -2, 5],
    [{ from: FEBRUARY + 2 * MINUTE, to: FEBRUARY + 3 * MINUTE }, 2, 1],
    [{ from: FEBRUARY + 3 * MINUTE, to: FEBRUARY }, 0, 0],
    [{ from: Date.UTC(2025, 0, 1) }, 0, 0],
  ])('reads what opens within %j, the end excluded', async (span, first, count) => {
    const { series } = scratchStore()
    using writer = await series.openWriter()
    writer.merge(klinesOf(minutes(FEBRUARY - 5 * MINUTE, 10)), 'test')
    expect(series.read(span)).toEqual(klinesOf(minutes(FEBRUARY + first * MINUTE, count)))
  })

  it('reads one file without a copy: every column is a view of the bytes of the file', async () => {
    const { series } = scratchStore()
    using writer = await series.openWriter()
    writer.merge(klinesOf(minutes(FEBRUARY, 1000)), 'test')
    const klines = series.read({ from: FEBRUARY + 10 * MINUTE })
    const columns = [klines.openTime, klines.open, klines.high, klines.low, klines.close, klines.volume]
    const file = readFileSync(join(series.folder, '2024-02.arrow'))
    expect(new Set(columns.map(({ buffer }) => buffer)).size).toBe(1)
    expect(Buffer.from(klines.close.buffer)).toEqual(file)
    expect(columns.map(({ byteOffset }) => byteOffset % 8)).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('is empty where nothing is stored, and makes no folder to find that out', () => {
    const { folder, series } = scratchStore()
    expect(series.read().length).toBe(0)
    expect(series.extent()).toBeUndefined()
    expect(readdirSync(folder)).toEqual([])
  })

  it('puts each month in a file of its own, months without klines in none', async () => {
    const store = new KlineStore(scratchFolder())
    const series = store.klines({ ...BTC, interval: '1d' })
    using writer = await series.openWriter()
    const days = [Date.UTC(2023, 10, 30), Date.UTC(2023, 11, 31), Date.UTC(2024, 2, 1)]
    writer.merge(klinesOf(days), 'test')
    expect(readdirSync(series.folder).sort()).toEqual([
      '.lock',
      '2023-11.arrow',
      '2023-12.arrow',
      '2024-03.arrow',
    ])
    expect(series.read()).toEqual(klinesOf(days))
  })

  it('has two folders for minutes and months, even where capitals do not count', () => {
    const store = new KlineStore('store')
    const folders = (['1m', '1M'] as const).map(interval => store.klines({ ...BTC, interval }).folder)
    expect(folders).toEqual([
      join('store', 'here', 'BTC-USDT', '1m'),
      join('store', 'here', 'BTC-USDT', '1mo'),
    ])
  })

  it.each([
    [{ symbol: 'btc/usdt' }, '"btc/usdt" is not a symbol'],
    [{ symbol: '../..' }, '"../.." is not a symbol'],
    [{ symbol: 'BTC-USDT' }, '"BTC-USDT" is not a symbol'],
    [{ venue: '..' }, '".." cannot be a venue'],
    [{ venue: 'A/B' }, '"A/B" cannot be a venue'],
    [{ venue: '' }, '"" cannot be a venue'],
  ])('refuses %j', (name, sentence) => {
    expect(() => new KlineStore('store').klines({ ...BTC, ...name })).toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(sentence) }),
    )
  })
})

describe('merging into a series', () => {
  it('lets a later revision of a kline take the place of the earlier one', async () => {
    const { series } = scratchStore()
    using writer = await series.openWriter()
    writer.merge(klinesOf(minutes(FEBRUARY, 4)), 'test')
    const counts = writer.merge(klinesOf(minutes(FEBRUARY + 2 * MINUTE, 4), 1), 'test')
    expect(counts).toEqual({ added: 2, revised: 2, unchanged: 0 })
    expect(series.read({ to: FEBRUARY + 2 * MINUTE })).toEqual(klinesOf(minutes(FEBRUARY, 2)))
    expect(series.read({ from: FEBRUARY + 2 * MINUTE })).toEqual(
      klinesOf(minutes(FEBRUARY + 2 * MINUTE, 4), 1),
    )
  })

  it('puts klines before and between those that are there', async () => {
    const { series } = scratchStore()
    const all = minutes(FEBRUARY, 7)
    using writer = await series.openWriter()
    writer.merge(klinesOf(all.filter((_, index) => index % 2 === 1)), 'test')
    writer.merge(klinesOf(all.filter((_, index) => index % 2 === 0)), 'test')
    expect(series.read()).toEqual(klinesOf(all))
  })

  it('writes no file whose klines stay as they are', async () => {
    const { series } = scratchStore()
    const klines = klinesOf(minutes(FEBRUARY, 4))
    using writer = await series.openWriter()
    writer.merge(klines, 'test')
    const before = statSync(join(series.folder, '2024-02.arrow'), { bigint: true })
    expect(writer.merge(klines, 'another source')).toEqual({ added: 0, revised: 0, unchanged: 4 })
    const after = statSync(join(series.folder, '2024-02.arrow'), { bigint: true })
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs])
  })

  it('keeps the klines of files apart that it changes one after the other', async () => {
    const { series } = scratchStore()
    const times = minutes(FEBRUARY - 50 * MINUTE, 70)
    using writer = await series.openWriter()
    writer.merge(klinesOf(times.filter((_, index) => index % 3 > 0)), 'test')
    writer.merge(
      klinesOf(
        times.filter((_, index) => index % 2 > 0),
        1,
      ),
      'test',
    )
    writer.merge(klinesOf(times, 2), 'test')
    expect(series.read()).toEqual(klinesOf(times, 2))
  })

  it('makes the same bytes, whatever the batches were', async () => {
    const [one, many] = [scratchStore().series, scratchStore().series]
    const times = minutes(FEBRUARY - 50 * MINUTE, 100)
    using writer = await one.openWriter()
    writer.merge(klinesOf(times), 'test')
    using other = await many.openWriter()
    for (let start = 0; start < 100; start += 7) other.merge(klinesOf(times.slice(start, start + 7)), 'test')
    for (const file of ['2024-01.arrow', '2024-02.arrow']) {
      expect(readFileSync(join(many.folder, file))).toEqual(readFileSync(join(one.folder, file)))
    }
  })

  it('remembers ten sources, however long they are, and none twice', async () => {
    const { series } = scratchStore()
    using writer = await series.openWriter()
    for (const [index, time] of minutes(FEBRUARY, 14).entries()) {
      writer.merge(
        klinesOf([time]),
        `${String(Math.max(2, index)).padStart(2, '0')}{"head":"gmac:${'\u0001'.repeat(500)}`,
      )
    }
    expect(series.read().length).toBe(14)
    const { metadata } = tableFromIPC(readFileSync(join(series.folder, '2024-02.arrow'))).schema
    const { sources }: { sources: string[] } = JSON.parse(metadata.get('sluice') ?? '')
    expect(sources.map(source => Number(source.slice(0, 2)))).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
  })

  it('tells file by file how many klines are stored', async () => {
    const { series } = scratchStore()
    using writer = await series.openWriter()
    const stored: number[] = []
    writer.merge(klinesOf(minutes(FEBRUARY - 5 * MINUTE, 8)), 'test', rows => {
      stored.push(rows)
      expect(series.read().length).toBe(rows)
    })
    expect(stored).toEqual([5, 8])
  })

  it('takes away what a writer that was killed has left', async () => {
    const { series } = scratchStore()
    ;(await series.openWriter()).close()
    const leftover = join(series.folder, '.2024-02.arrow.tmp')
    writeFileSync(leftover, 'half')
    expect(series.read().length).toBe(0)
    ;(await series.openWriter()).close()
    expect(existsSync(leftover)).toBe(false)
  })

  it('is for one writer at a time; closing lets the next one in', async () => {
    const { folder, series } = scratchStore()
    const again = new KlineStore(folder).klines(BTC)
    {
      using _writer = await series.openWriter()
      await expect(again.openWriter()).rejects.toThrow(
        /^Another command writes BTC\/USDT 1m of here in .+; wait until/,
      )
      // Others of the same market are not concerned.
      const others = new KlineStore(folder).klines({ ...BTC, interval: '5m' })
      ;(await others.openWriter()).close()
    }
    ;(await again.openWriter()).close()
  })

  const SOUND = klinesOf(minutes(FEBRUARY, 3))
  it.each<[string, KlineColumns, string]>([
    [
      'not ascending',
      klinesOf([FEBRUARY, FEBRUARY + MINUTE, FEBRUARY]),
      'Row 3 to be stored as BTC/USDT 1m of here (2024-02-01T00:00:00.000Z) does not come after',
    ],
    ['twice the same', klinesOf([FEBRUARY, FEBRUARY]), 'Row 2 to be stored as'],
    [
      'beside the interval',
      klinesOf([FEBRUARY + 1]),
      'opens at 2024-02-01T00:00:00.001Z, when no kline of 1m does',
    ],
    [
      'beside the interval behind a gap',
      klinesOf([FEBRUARY, FEBRUARY + 2.5 * MINUTE]),
      'when no kline of 1m does',
    ],
    ['not at whole ms', klinesOf([0.5]), 'has the time 0.5; expected ms since 1970'],
    ['in seconds', klinesOf([1e15]), 'has the time 1000000000000000;'],
    [
      'without a number',
      { ...SOUND, close: Float64Array.of(2500, Number.NaN, 2500) },
      'Row 2 to be stored as BTC/USDT 1m of here (2024-02-01T00:01:00.000Z) has "NaN" as its close',
    ],
    [
      'with a high below the low',
      { ...SOUND, high: Float64Array.of(1, 1, 1) },
      'has a high of 1 below its low',
    ],
  ])('refuses klines that are %s, and stores none', async (_, klines, sentence) => {
    const { series } = scratchStore()
    using writer = await series.openWriter()
    expect(() => writer.merge(klines, 'test')).toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.stringContaining(sentence) }),
    )
    expect(series.read().length).toBe(0)
  })
})

describe('funding rates and trades', async () => {
  it('lie beside the klines, under names of their own', async () => {
    const { store } = scratchStore()
    const series = store.funding({ venue: 'here', symbol: 'E-BTC-USDT' })
    using writer = await series.openWriter()
    const rates = {
      length: 2,
      time: Float64Array.of(FEBRUARY, FEBRUARY + 8 * 60 * MINUTE + 4),
      rate: Float64Array.of(0.0001, -0.00025),
    }
    writer.merge(rates, 'test')
    expect(series.read()).toEqual(rates)
    expect(series.folder).toMatch(/here.E-BTC-USDT.funding$/)
    expect(() => writer.merge({ ...rates, rate: Float64Array.of(0, Number.NaN) }, 'test')).toThrow(
      'Row 2 to be stored as E-BTC-USDT funding of here has NaN in place of a number; remove it.',
    )
  })

  it('trades of one ms stay apart by their ids, and lie in a file a day', async () => {
    const { store } = scratchStore()
    const series = store.trades({ venue: 'here', symbol: 'BTC/USDT' })
    using writer = await series.openWriter()
    const trades = {
      length: 3,
      time: Float64Array.of(FEBRUARY - 1, FEBRUARY, FEBRUARY),
      id: Float64Array.of(7, 8, 9),
      price: Float64Array.of(1, 2, 3),
      quantity: Float64Array.of(4, 5, 6),
      side: Float64Array.of(1, -1, 1),
    }
    expect(writer.merge(trades, 'test')).toEqual({ added: 3, revised: 0, unchanged: 0 })
    expect(writer.merge(trades, 'test')).toEqual({ added: 0, revised: 0, unchanged: 3 })
    expect(series.read()).toEqual(trades)
    expect(readdirSync(series.folder).sort()).toEqual(['.lock', '2024-01-31.arrow', '2024-02-01.arrow'])
  })
})

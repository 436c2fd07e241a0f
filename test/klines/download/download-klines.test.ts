import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { downloadKlines, type KlineDownload } from '../../../src/klines/download/download-klines.ts'
import { klinesIn } from '../../../src/klines/kline-columns.ts'
import { klinesOf, MINUTE, minutes, scratchStore } from '../store/scratch-store.ts'

const START = Date.UTC(2024, 0, 31, 23)

interface Exchange {
  readonly klines: readonly Kline[]
  /** Klines that it gives before it fails. */
  readonly failsAfter?: number
}

/** Answers for what it has, and remembers in minutes what it was asked for. */
function exchangeWith({ klines, failsAfter = Number.POSITIVE_INFINITY }: Exchange) {
  const asked: number[][] = []
  let left = failsAfter
  return {
    asked,
    async *read(from: number, to: number): AsyncGenerator<Kline> {
      asked.push([(from - START) / MINUTE, (to + 1 - START) / MINUTE])
      for (const kline of klines.filter(({ openTime }) => openTime >= from && openTime <= to)) {
        if (left-- === 0) throw new Error('The line is dead.')
        yield kline
      }
    },
  }
}

type Series = ReturnType<typeof scratchStore>['series']

function downloadOf(
  series: Series,
  read: KlineDownload['read'],
  more: Partial<KlineDownload> = {},
): KlineDownload {
  return {
    series,
    interval: '1m',
    from: START,
    to: START + 100 * MINUTE,
    now: START + 1000 * MINUTE,
    again: false,
    source: 'a test',
    read,
    ...more,
  }
}

const KLINES = klinesIn(klinesOf(minutes(START, 100)))

describe('downloadKlines', () => {
  it('stores what the exchange has, and asks for nothing the second time', async () => {
    const { series } = scratchStore()
    const { read, asked } = exchangeWith({ klines: KLINES })
    expect(await downloadKlines(downloadOf(series, read))).toEqual({ added: 100, revised: 0, unchanged: 0 })
    expect(klinesIn(series.read())).toEqual(KLINES)
    expect(await downloadKlines(downloadOf(series, read))).toEqual({ added: 0, revised: 0, unchanged: 0 })
    expect(asked).toEqual([[0, 100]])
  })

  it('leaves out what has not closed', async () => {
    const { series } = scratchStore()
    const { read, asked } = exchangeWith({ klines: KLINES })
    await downloadKlines(downloadOf(series, read, { now: START + 5 * MINUTE - 1 }))
    expect(series.read().length).toBe(4)
    await downloadKlines(downloadOf(series, read, { now: START + 5 * MINUTE }))
    expect(series.read().length).toBe(5)
    expect(asked).toEqual([
      [0, 4],
      [3, 5],
    ])
  })

  it('asks for the last kline again, which the exchange may have revised', async () => {
    const { series } = scratchStore()
    await downloadKlines(
      downloadOf(series, exchangeWith({ klines: KLINES }).read, { to: START + 5 * MINUTE }),
    )
    const revised = KLINES.map(kline => ({ ...kline, volume: 99 }))
    const counts = await downloadKlines(
      downloadOf(series, exchangeWith({ klines: revised }).read, { to: START + 7 * MINUTE }),
    )
    expect(counts).toEqual({ added: 2, revised: 1, unchanged: 0 })
    expect([...series.read().volume].slice(3)).toEqual([KLINES[3]?.volume, 99, 99, 99])
  })

  it('asks for all once more where it is told to', async () => {
    const { series } = scratchStore()
    const { read, asked } = exchangeWith({ klines: KLINES })
    await downloadKlines(downloadOf(series, read))
    expect(await downloadKlines(downloadOf(series, read, { again: true }))).toMatchObject({ unchanged: 100 })
    expect(asked).toHaveLength(2)
  })

  it('asks for holes that the exchange had too, but stores no klines for them', async () => {
    const { series } = scratchStore()
    const { read, asked } = exchangeWith({ klines: KLINES.filter((_, index) => index % 50 !== 10) })
    await downloadKlines(downloadOf(series, read))
    expect(await downloadKlines(downloadOf(series, read))).toMatchObject({ added: 0 })
    expect(series.read().length).toBe(98)
    expect(asked).toEqual([
      [0, 100],
      [10, 61],
    ])
  })

  it('tells how much there is to do, how far it is, and what is stored', async () => {
    const { series } = scratchStore()
    const { read } = exchangeWith({ klines: KLINES.filter((_, index) => index !== 50) })
    const told: string[] = []
    await downloadKlines(
      downloadOf(series, read, {
        onPlan: klines => void told.push(`plan ${klines}`),
        onRead: klines => void told.push(`read ${klines}`),
        onStored: time => void told.push(`stored ${(time - START) / MINUTE}`),
      }),
    )
    const passed = Array.from({ length: 100 }, (_, index) => index + 1).filter(klines => klines !== 51)
    expect(told).toEqual(['plan 100', ...passed.map(klines => `read ${klines}`), 'stored 99', 'read 100'])
  })

  it('stores what came before an error, and goes on from there', async () => {
    const { series } = scratchStore()
    const failing = exchangeWith({ klines: KLINES, failsAfter: 70 })
    await expect(downloadKlines(downloadOf(series, failing.read))).rejects.toThrow('The line is dead.')
    expect(klinesIn(series.read())).toEqual(KLINES.slice(0, 70))
    const { read, asked } = exchangeWith({ klines: KLINES })
    await downloadKlines(downloadOf(series, read))
    expect(klinesIn(series.read())).toEqual(KLINES)
    expect(asked).toEqual([[69, 100]])
  })

  it.each([
    [{ low: 5000 }, 'it has a high of'],
    [{ close: Number.NaN }, 'it has "NaN" as its close'],
    [{ openTime: START + 3 * MINUTE + 1 }, 'it opens when none of 1m does.'],
  ])('stores nothing from a kline on that cannot be, such as one with %j', async (part, problem) => {
    const { series } = scratchStore()
    const klines = KLINES.map((kline, index) => (index === 3 ? { ...kline, ...part } : kline))
    await expect(downloadKlines(downloadOf(series, exchangeWith({ klines }).read))).rejects.toMatchObject({
      code: 'IMPOSSIBLE_KLINE',
      message: expect.stringContaining(problem),
    })
    expect(klinesIn(series.read())).toEqual(KLINES.slice(0, 3))
  })

  it('comes to the same end after any number of failures, whatever was there before', async () => {
    const there = fc.uniqueArray(fc.nat(99))
    const failures = fc.array(fc.nat(60), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(there, failures, async (numbers, fails) => {
        const { series } = scratchStore()
        if (numbers.length > 0) {
          using writer = await series.openWriter()
          const sorted = numbers.toSorted((left, right) => left - right)
          writer.merge(klinesOf(sorted.map(number => START + number * MINUTE)), 'before')
        }
        for (const failsAfter of fails) {
          const { read } = exchangeWith({ klines: KLINES, failsAfter })
          await downloadKlines(downloadOf(series, read)).catch(() => undefined)
        }
        await downloadKlines(downloadOf(series, exchangeWith({ klines: KLINES }).read))
        expect(klinesIn(series.read())).toEqual(KLINES)
      }),
      { numRuns: 30 },
    )
  })
})

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closeTimeOf, type Interval, openTimeOf } from '../../../src/domain/market-data/interval.ts'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { readKlineFile } from '../../../src/klines/formats/read-kline-file.ts'
import { columnsFrom, type KlineColumns, klineAt, klinesIn } from '../../../src/klines/kline-columns.ts'
import { KlineResampler, type ResampleOptions } from '../../../src/klines/resample/kline-resampler.ts'
import { resampleKlines } from '../../../src/klines/resample/resample-klines.ts'
import { hasShared, sharedPath } from '../../shared-data.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
/** A Monday, and the first of a month. */
const START = Date.UTC(2018, 0, 1)

const kline = (
  openTime: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
): Kline => ({
  openTime,
  open,
  high,
  low,
  close,
  volume,
})
const flat = (openTime: number): Kline => kline(openTime, 1, 1, 1, 1, 1)

/** What comes out behind each kline that goes in. */
function steps(klines: readonly Kline[], options: ResampleOptions): readonly (readonly Kline[])[] {
  let out: Kline[] = []
  const resampler = new KlineResampler(options, made => out.push(made))
  return klines.map(part => {
    out = []
    resampler.push(part)
    return out
  })
}

const FIVE = [
  kline(START, 10, 12, 9, 11, 0.1),
  kline(START + MINUTE, 11, 11, 8, 9, 0.2),
  kline(START + 2 * MINUTE, 9, 15, 9, 14, 0.3),
  kline(START + 3 * MINUTE, 14, 14, 13, 13, 0),
  kline(START + 4 * MINUTE, 13, 13.5, 12, 12.5, 0.4),
]

describe('KlineResampler', () => {
  it('makes a kline with the last of its parts, and not before', () => {
    const made = steps(FIVE, { from: '1m', to: '5m' })
    expect(made).toEqual([[], [], [], [], [kline(START, 10, 15, 8, 12.5, 1)]])
  })

  it('leaves out klines that lack a part, and counts them', () => {
    const without = (minutes: readonly number[]) =>
      Array.from({ length: 20 }, (_, minute) => flat(START + minute * MINUTE)).filter(
        (_, minute) => !minutes.includes(minute),
      )
    const run = (minutes: readonly number[], incomplete: 'drop' | 'keep') => {
      const { columns, counts } = resampleKlines(columnsFrom(without(minutes)), {
        from: '1m',
        to: '5m',
        incomplete,
      })
      return [Array.from(columns.openTime, time => (time - START) / MINUTE), counts]
    }
    expect(run([7], 'drop')).toEqual([[0, 10, 15], { complete: 3, incomplete: 1, missing: 1 }])
    expect(run([7], 'keep')).toEqual([[0, 5, 10, 15], { complete: 3, incomplete: 1, missing: 1 }])
    // The last parts, the first parts, all parts of a kline.
    expect(run([8, 9, 10], 'drop')).toEqual([[0, 15], { complete: 2, incomplete: 2, missing: 3 }])
    expect(run([8, 9, 10], 'keep')).toEqual([[0, 5, 10, 15], { complete: 2, incomplete: 2, missing: 3 }])
    expect(run([5, 6, 7, 8, 9], 'keep')).toEqual([[0, 10, 15], { complete: 3, incomplete: 0, missing: 0 }])
  })

  it('never makes klines that the data begins or ends within', () => {
    const minutes = Array.from({ length: 12 }, (_, minute) => flat(START + (minute + 1) * MINUTE))
    for (const incomplete of ['drop', 'keep'] as const) {
      const { columns, counts } = resampleKlines(columnsFrom(minutes), { from: '1m', to: '5m', incomplete })
      expect([...columns.openTime]).toEqual([START + 5 * MINUTE])
      expect(counts).toEqual({ complete: 1, incomplete: 0, missing: 0 })
    }
  })

  it('makes a kept kline without its last part as soon as a later one comes', () => {
    const klines = [0, 1, 2, 3, 9].map(minute => flat(START + minute * MINUTE))
    const openTimes = steps(klines, { from: '1m', to: '5m', incomplete: 'keep' }).map(made =>
      made.map(({ openTime }) => openTime),
    )
    expect(openTimes).toEqual([[], [], [], [], [START, START + 5 * MINUTE]])
  })

  it.each<[Interval, number, number]>([
    // 1 January 2018 is a Monday; the first whole week of what begins on the 2nd begins on the 8th.
    ['1w', Date.UTC(2018, 0, 8), 7],
    ['1M', Date.UTC(2018, 1, 1), 28],
  ])('makes %s of days by the calendar', (to, openTime, days) => {
    const parts = Array.from({ length: 80 }, (_, day) => flat(START + (day + 1) * DAY))
    const { columns } = resampleKlines(columnsFrom(parts), { from: '1d', to })
    expect(klineAt(columns, 0)).toEqual({ ...flat(openTime), volume: days })
  })

  it('adds volumes without losing small ones', () => {
    // Added one by one, 1e16 + 1 is 1e16 again.
    const volumes = [1e16, 1, 1, 1, 1]
    const parts = volumes.map((volume, minute) => ({ ...flat(START + minute * MINUTE), volume }))
    expect(steps(parts, { from: '1m', to: '5m' }).at(-1)?.[0]?.volume).toBe(1e16 + 4)
  })

  it('adds volumes as decimals, so that a detour over an interval between gives the same', () => {
    // Hundred-thousandths 1, 8, 15, ... of 1440 minutes: 1440 + 7 * 1440 * 1439 / 2 = 7254000 of them.
    const volumes = Array.from({ length: 1440 }, (_, minute) => (7 * minute + 1) / 100_000)
    const parts = columnsFrom(volumes.map((volume, minute) => ({ ...flat(START + minute * MINUTE), volume })))
    const { columns: threes } = resampleKlines(parts, { from: '1m', to: '3m' })
    // Three minutes of row n: (21n + 1) + (21n + 8) + (21n + 15).
    expect([...threes.volume]).toEqual(Array.from({ length: 480 }, (_, row) => (63 * row + 24) / 100_000))
    const { columns: halfDays } = resampleKlines(parts, { from: '1m', to: '12h' })
    const { columns: day } = resampleKlines(halfDays, { from: '12h', to: '1d' })
    expect([...day.volume]).toEqual([72.54])
    expect(resampleKlines(parts, { from: '1m', to: '1d' }).columns).toEqual(day)
  })

  it.each<[Interval, Interval, string]>([
    ['1h', '1h', 'Klines of 1h cannot make klines of 1h: give a longer interval than 1h.'],
    ['1h', '5m', 'Klines of 1h cannot make klines of 5m: give a longer interval than 1h.'],
    [
      '1w',
      '1M',
      'Klines of 1w cannot make klines of 1M, which do not begin and end with them; use those of 1d.',
    ],
  ])('refuses to make of %s klines of %s', (from, to, message) => {
    expect(() => new KlineResampler({ from, to }, () => {})).toThrow(message)
  })

  it('refuses klines of another interval, and klines out of order', () => {
    const options = { from: '5m', to: '1h' } as const
    expect(() => steps([flat(START + MINUTE)], options)).toThrow(
      'No kline of 5m opens at 2018-01-01T00:01:00.000Z;',
    )
    expect(() => steps([flat(START), flat(START)], options)).toThrow(
      'The kline of 2018-01-01T00:00:00.000Z does not come after that of 2018-01-01T00:00:00.000Z; sort them, each once.',
    )
  })

  it('gives the same as grouping, and as a detour over an interval between', () => {
    const part = fc.tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99 }), fc.boolean())
    fc.assert(
      fc.property(fc.array(part, { maxLength: 200 }), fc.nat(59), (parts, offset) => {
        const all = parts.map(([open, close, isThere], index) => ({
          isThere,
          kline: kline(
            START + (offset + index) * MINUTE,
            open,
            Math.max(open, close),
            Math.min(open, close),
            close,
            open,
          ),
        }))
        const klines = all.filter(({ isThere }) => isThere).map(({ kline }) => kline)
        const direct = klinesIn(resampleKlines(columnsFrom(klines), { from: '1m', to: '15m' }).columns)
        expect(direct).toEqual(grouped(klines, '15m', 15))
        const { columns } = resampleKlines(columnsFrom(klines), { from: '1m', to: '5m' })
        expect(klinesIn(resampleKlines(columns, { from: '5m', to: '15m' }).columns)).toEqual(direct)
      }),
      { numRuns: 200 },
    )
  })
})

/** Complete klines, the simple way. */
function grouped(klines: readonly Kline[], to: Interval, parts: number): readonly Kline[] {
  const groups = Map.groupBy(klines, ({ openTime }) => openTimeOf(openTime, to))
  return [...groups]
    .filter(([, group]) => group.length === parts)
    .map(([openTime, group]) =>
      kline(
        openTime,
        group[0]?.open ?? Number.NaN,
        Math.max(...group.map(({ high }) => high)),
        Math.min(...group.map(({ low }) => low)),
        group.at(-1)?.close ?? Number.NaN,
        group.reduce((sum, { volume }) => sum + volume, 0),
      ),
    )
}

interface OraclePair {
  readonly pair: string
  readonly bars: number
}

describe.skipIf(!hasShared('oracles', 'resample.json'))(
  'intervals that an exchange stored independently',
  () => {
    const load = async (name: string) => (await readKlineFile(sharedPath('data', `${name}.csv.gz`))).columns
    const oracle: readonly OraclePair[] = hasShared('oracles', 'resample.json')
      ? JSON.parse(readFileSync(sharedPath('oracles', 'resample.json'), 'utf8'))
      : []
    const barsOf = (pair: string) => oracle.find(row => row.pair === pair)?.bars

    it.each<[string, string, Interval, string, Interval]>([
      ['1m->15m', 'binance-btcusdt-1m', '1m', 'binance-btcusdt-15m', '15m'],
      ['1m->1h', 'binance-btcusdt-1m', '1m', 'binance-btcusdt-1h', '1h'],
      ['15m->1h', 'binance-btcusdt-15m', '15m', 'binance-btcusdt-1h', '1h'],
      ['ETH 1m->1h', 'binance-ethusdt-1m', '1m', 'binance-ethusdt-1h', '1h'],
    ])('are reproduced: %s', async (pair, source, from, stored, to) => {
      const { columns } = resampleKlines(await load(source), { from, to })
      expect(columns.length).toBe(barsOf(pair))
      expectSame(columns, await load(stored))
    })

    it('are reproduced over a detour: 1h->4h->1d, with the one day that lacks an hour left out', async () => {
      const hours = resampleKlines(await load('binance-btcusdt-1h'), { from: '1h', to: '4h' })
      expect(hours.columns.length).toBe(barsOf('1h->4h'))
      expect(hours.counts).toMatchObject({ incomplete: 1, missing: 1 })
      const days = resampleKlines(hours.columns, { from: '4h', to: '1d' })
      expectSame(days.columns, await load('binance-btcusdt-1d'))
      const [first, last] = [days.columns.openTime[0] ?? 0, days.columns.openTime.at(-1) ?? 0]
      expect(days.columns.length).toBe((closeTimeOf(last, '1d') - first) / DAY - 1)
    })
  },
)

/** Every kline is a stored one: the same prices, and volumes that differ by rounding at most (see the oracle's vol_max_rel). */
function expectSame(made: KlineColumns, stored: KlineColumns): void {
  const rowAt = new Map(Array.from(stored.openTime, (time, row) => [time, row]))
  let differences = 0
  for (const one of klinesIn(made)) {
    const other = klineAt(stored, rowAt.get(one.openTime) ?? -1)
    const isSame = (['open', 'high', 'low', 'close'] as const).every(name => one[name] === other[name])
    const isNear = Math.abs(one.volume - other.volume) <= 2.3e-16 * other.volume
    if (!isSame || !isNear) differences++
  }
  expect(differences).toBe(0)
}

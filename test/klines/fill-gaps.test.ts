import { describe, expect, it } from 'vitest'
import { fillGaps } from '../../src/klines/fill-gaps.ts'
import { klinesIn } from '../../src/klines/kline-columns.ts'
import { klinesAt } from './klines-at.ts'

const MINUTE = 60_000

describe('fillGaps', () => {
  it('puts flat klines without volume at the close before, one for each that is absent', () => {
    const klines = {
      length: 2,
      openTime: Float64Array.of(0, 3 * MINUTE),
      open: Float64Array.of(10, 20),
      high: Float64Array.of(12, 22),
      low: Float64Array.of(9, 19),
      close: Float64Array.of(11, 21),
      volume: Float64Array.of(5, 6),
    }
    const flat = { open: 11, high: 11, low: 11, close: 11, volume: 0 }
    expect(klinesIn(fillGaps(klines, '1m'))).toEqual([
      { openTime: 0, open: 10, high: 12, low: 9, close: 11, volume: 5 },
      { openTime: MINUTE, ...flat },
      { openTime: 2 * MINUTE, ...flat },
      { openTime: 3 * MINUTE, open: 20, high: 22, low: 19, close: 21, volume: 6 },
    ])
  })

  it('knows how long months are', () => {
    const [january, april] = [Date.UTC(2024, 0, 1), Date.UTC(2024, 3, 1)]
    const filled = fillGaps(klinesAt([january, april]), '1M')
    expect([...filled.openTime]).toEqual([january, Date.UTC(2024, 1, 1), Date.UTC(2024, 2, 1), april])
  })

  it('changes nothing where nothing is absent', () => {
    for (const klines of [klinesAt([]), klinesAt([0]), klinesAt([0, MINUTE])]) {
      expect(fillGaps(klines, '1m')).toEqual(klines)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { thinnedCurve } from '../../src/web/sources/thinned-curve.ts'

const curve = (worth: readonly number[]) =>
  worth.map((value, row) => ({ time: row, equity: { USDT: `${value}` }, moved: {} }))
const worthOf = (points: ReturnType<typeof thinnedCurve>) => points.map(({ equity }) => Number(equity.USDT))

describe('a thinned curve', () => {
  it('is the whole one where that has few points', () => {
    expect(worthOf(thinnedCurve(curve([3, 1, 2]), 3))).toEqual([3, 1, 2])
  })

  it('has the first and the last point, and the lowest and the highest wherever they are', () => {
    for (const [low, high] of [
      [1, 998],
      [501, 500],
      [777, 3],
    ] as const) {
      const worth = Array.from({ length: 1000 }, (_, row) => 100 + (row % 7))
      worth[low] = 50
      worth[high] = 200
      const thinned = worthOf(thinnedCurve(curve(worth), 30))
      expect([Math.min(...thinned), Math.max(...thinned)]).toEqual([50, 200])
      expect([thinned[0], thinned.at(-1)]).toEqual([worth[0], worth.at(-1)])
      expect(thinned.length).toBeLessThanOrEqual(32)
    }
  })

  it('keeps the order of its points', () => {
    const times = thinnedCurve(curve(Array.from({ length: 500 }, (_, row) => (row * 37) % 101)), 20).map(
      ({ time }) => time,
    )
    expect(times).toEqual(times.toSorted((left, right) => left - right))
  })
})

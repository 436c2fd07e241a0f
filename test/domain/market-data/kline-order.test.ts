import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { INTERVALS } from '../../../src/domain/market-data/interval.ts'
import { compareKlineCloses, type KlineClose } from '../../../src/domain/market-data/kline-order.ts'

const close = (closeTime: number, interval: KlineClose['interval'], rank: number): KlineClose => ({
  closeTime,
  interval,
  rank,
})

describe('compareKlineCloses', () => {
  it('goes by close time, then the longer interval, then the declared order', () => {
    const inOrder = [
      close(100, '1m', 7),
      close(200, '1M', 5),
      close(200, '1w', 5),
      close(200, '1h', 0),
      close(200, '5m', 3),
      close(200, '1m', 1),
      close(200, '1m', 2),
      close(300, '1d', 0),
    ]
    expect(inOrder.toReversed().sort(compareKlineCloses)).toEqual(inOrder)
  })

  it('is a total order: no two streams tie', () => {
    const closes = fc.record({
      closeTime: fc.integer({ min: 0, max: 3 }),
      interval: fc.constantFrom(...INTERVALS),
      rank: fc.integer({ min: 0, max: 3 }),
    })
    fc.assert(
      fc.property(closes, closes, closes, (a, b, c) => {
        expect(Math.sign(compareKlineCloses(a, b))).toBe(0 - Math.sign(compareKlineCloses(b, a)))
        if (compareKlineCloses(a, b) === 0) expect(a).toEqual(b)
        if (compareKlineCloses(a, b) < 0 && compareKlineCloses(b, c) < 0) {
          expect(compareKlineCloses(a, c)).toBeLessThan(0)
        }
      }),
    )
  })
})

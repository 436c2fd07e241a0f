import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { volumeParticipation } from '../../../backtest/models/participation.ts'

const klineOf = (volume: number) => ({ openTime: 0, open: 1, high: 1, low: 1, close: 1, volume })

describe('the share of a volume that orders may trade', () => {
  it('is n steps where it is the n-th part of whole steps, however large, float noise aside', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 12 }), fc.integer({ min: 1, max: 1000 }), (part, parts) => {
        const participation = volumeParticipation(1 / parts, 100_000)
        expect(participation(klineOf((part * parts) / 100_000))).toBe(part)
      }),
    )
  })

  it('is rounded down where it is no noise, and anything without a share', () => {
    expect(volumeParticipation(0.5, 1)(klineOf(3))).toBe(1)
    expect(volumeParticipation(undefined, 1)(klineOf(0))).toBe(Number.MAX_SAFE_INTEGER)
  })
})

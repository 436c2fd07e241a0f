import { describe, expect, it } from 'vitest'
import { exposureOf } from '../../../backtest/metrics/exposure.ts'

describe('exposureOf', () => {
  const holdings = [
    { entryTime: 60, exitTime: 80 },
    { entryTime: 10, exitTime: 30 },
    { entryTime: 20, exitTime: 40 },
    { entryTime: 22, exitTime: 25 },
    { entryTime: -10, exitTime: 5 },
    { entryTime: 95, exitTime: 120 },
  ]

  it('counts time under several positions once, and only within the run', () => {
    expect(exposureOf(holdings, 0, 100)).toBeCloseTo(0.6, 12)
  })

  it('does not depend on their order', () => {
    const inOrder = holdings.toSorted((left, right) => left.entryTime - right.entryTime)
    expect(exposureOf(inOrder, 0, 100)).toBeCloseTo(0.6, 12)
  })

  it('is 0 without positions and without time', () => {
    expect(exposureOf([], 0, 100)).toBe(0)
    expect(exposureOf([{ entryTime: 0, exitTime: 0 }], 0, 0)).toBe(0)
  })
})

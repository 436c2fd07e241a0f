import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstShortfall } from '../../src/ledger/first-shortfall.ts'

/** Lines side by side, each up to its bend, the last one without end. */
interface Pieces {
  /** Divisor of all results, which are rounded down. */
  readonly divisor: number
  readonly lines: readonly { readonly start: number; readonly slope: number }[]
  readonly bends: readonly number[]
}

const anyPieces: fc.Arbitrary<Pieces> = fc
  .uniqueArray(fc.integer({ min: -5, max: 105 }), { maxLength: 4 })
  .chain(bends => {
    const count = bends.length + 1
    const anyLine = fc.record({
      start: fc.integer({ min: -50, max: 400 }),
      slope: fc.integer({ min: -9, max: 9 }),
    })
    return fc.record({
      divisor: fc.integer({ min: 1, max: 5 }),
      bends: fc.constant(bends),
      lines: fc.array(anyLine, { minLength: count, maxLength: count }),
    })
  })

/** The surplus that pieces have at a whole number. */
function surplusOf({ divisor, lines, bends }: Pieces): (at: number) => bigint {
  return at => {
    const { start, slope } = lines[bends.filter(bend => bend < at).length] ?? { start: 0, slope: 0 }
    return BigInt(Math.floor((start + slope * at) / divisor))
  }
}

describe('the first shortfall on the way', () => {
  it('is the one that looking at every number finds, up and down, whatever bends and jumps there are', () => {
    const anyNumber = fc.integer({ min: 0, max: 100 })
    fc.assert(
      fc.property(anyPieces, anyNumber, anyNumber, (pieces, from, to) => {
        const surplus = surplusOf(pieces)
        const sign = Math.sign(to - from)
        const way = Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + index * sign)
        const expected = way.find(at => surplus(at) <= 0n)
        expect(firstShortfall(surplus, from, to, pieces.bends)).toBe(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it('is looked for at few numbers only, however long the way', () => {
    let asked = 0
    const surplus = (at: number) => {
      asked++
      return BigInt(1_000_000_000_000 - at)
    }
    expect(firstShortfall(surplus, 1, 2 ** 50, [5_000, 70])).toBe(1_000_000_000_000)
    expect(asked).toBeLessThan(20)
  })
})

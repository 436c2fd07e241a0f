import { describe, expect, it } from 'vitest'
import { crossesAbove, crossesBelow } from '../../src/indicators/crossing.ts'

const line = (previous: number, value: number) => ({ previous, value })
const NOT_YET = Number.NaN

describe('a crossing of two lines', () => {
  it.each([
    ['rises through', line(1, 3), line(2, 2), 'above'],
    ['rises from touching', line(2, 3), line(2, 2), 'above'],
    ['is overtaken by falling', line(5, 5), line(6, 4), 'above'],
    ['falls through', line(3, 1), line(2, 2), 'below'],
    ['falls from touching', line(2, 1), line(2, 2), 'below'],
    ['rises to touch only', line(1, 2), line(2, 2), 'neither'],
    ['falls to touch only', line(3, 2), line(2, 2), 'neither'],
    ['stays above', line(3, 4), line(2, 2), 'neither'],
    ['stays below', line(0, 1), line(2, 2), 'neither'],
    ['lies on the other', line(2, 2), line(2, 2), 'neither'],
    ['rises from rounding', line(2.0000000000000004, 3), line(2, 2), 'above'],
    ['falls from rounding', line(1.9999999999999998, 1), line(2, 2), 'below'],
    ['rises by rounding only', line(1, 2.0000000000000004), line(2, 2), 'neither'],
    ['falls by rounding only', line(-1, -2.0000000000000004), line(-2, -2), 'neither'],
    ['has no earlier value', line(NOT_YET, 3), line(2, 2), 'neither'],
    ['meets one without an earlier value', line(1, 3), line(NOT_YET, 2), 'neither'],
    ['is not ready', line(NOT_YET, NOT_YET), line(2, 2), 'neither'],
  ])('where the first %s: %4$s', (_name, first, second, crossing) => {
    expect(crossesAbove(first, second)).toBe(crossing === 'above')
    expect(crossesBelow(first, second)).toBe(crossing === 'below')
    // The other line sees the opposite.
    expect(crossesBelow(second, first)).toBe(crossing === 'above')
    expect(crossesAbove(second, first)).toBe(crossing === 'below')
  })
})

describe('a crossing of a level', () => {
  it.each([
    ['from below', line(29, 31), true, false],
    ['from the level up', line(30, 31), true, false],
    ['from above', line(31, 29), false, true],
    ['from the level down', line(30, 29), false, true],
    ['up to the level only', line(29, 30), false, false],
    ['down to the level only', line(31, 30), false, false],
    ['nowhere', line(31, 32), false, false],
    ['before it is ready', line(NOT_YET, 31), false, false],
  ])('of 30 %s', (_name, moving, above, below) => {
    expect(crossesAbove(moving, 30)).toBe(above)
    expect(crossesBelow(moving, 30)).toBe(below)
  })
})

import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountOf, amountToText } from '../../../src/domain/numbers/amount.ts'
import {
  baseAmount,
  notionalOf,
  priceAmount,
  priceOf,
  priceText,
  quantityOf,
  quantityText,
  roundToTicks,
  steps,
  stepsOf,
  stepsWithin,
  ticks,
  ticksOf,
  worthOf,
} from '../../../src/domain/numbers/grid.ts'
import { InvariantError, UsageError } from '../../../src/domain/sluice-error.ts'

const CENTS = { pricePrecision: 2, quantityPrecision: 3 }
const Exact = Decimal.clone({ precision: 100, toExpNeg: -100, toExpPos: 100 })
const anyGrid = fc.record({
  pricePrecision: fc.integer({ min: 0, max: 9 }),
  quantityPrecision: fc.integer({ min: 0, max: 9 }),
})
const anyCount = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })

describe('ticks and steps', () => {
  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('cannot count %d', value => {
    expect(() => ticks(value)).toThrow(InvariantError)
    expect(() => steps(value)).toThrow(`not ${value}`)
  })

  it('may be negative only as ticks', () => {
    expect(ticks(-3)).toBe(-3)
    expect(() => steps(-3)).toThrow(InvariantError)
  })
})

describe('wire text', () => {
  it.each([
    [CENTS, 0, '0.00'],
    [CENTS, 5, '0.05'],
    [CENTS, 4_250_010, '42500.10'],
    [CENTS, -5, '-0.05'],
    [{ pricePrecision: 0, quantityPrecision: 0 }, 17, '17'],
  ])('of a price on %o, %d ticks, is %s', (grid, count, text) => {
    expect(priceText(grid, ticks(count))).toBe(text)
  })

  it('of a quantity has exactly the decimals of the grid', () => {
    expect(quantityText(CENTS, steps(1500))).toBe('1.500')
    expect(quantityText(CENTS, steps(7))).toBe('0.007')
  })

  it('is read back as the same ticks and steps on every grid', () => {
    fc.assert(
      fc.property(anyGrid, anyCount, (grid, count) => {
        expect(ticksOf(grid, priceText(grid, ticks(count)))).toBe(count)
        expect(stepsOf(grid, quantityText(grid, steps(count)))).toBe(count)
        expect(priceText(grid, ticks(count))).toBe(
          new Exact(count).div(10 ** grid.pricePrecision).toFixed(grid.pricePrecision),
        )
      }),
    )
  })

  it.each(['1.234', '0.001', 'twelve', '', 'NaN', 'Infinity'])('%j is no price of whole cents', text => {
    expect(() => ticksOf(CENTS, text)).toThrow(UsageError)
  })

  it('off the grid is refused with the decimals that are allowed', () => {
    expect(() => ticksOf(CENTS, '1.234')).toThrow(
      'The price 1.234 is off the grid: at most 2 decimals are allowed.',
    )
    expect(() => stepsOf(CENTS, '0.0001')).toThrow('The quantity 0.0001 is off the grid: at most 3 decimals')
  })

  it('may have trailing zeros beyond the grid', () => {
    expect(ticksOf(CENTS, '1.2300')).toBe(123)
  })
})

describe('doubles', () => {
  it('are the ones nearest to the price, and find their tick again', () => {
    const count = fc.integer({ min: 0, max: 2 ** 47 })
    fc.assert(
      fc.property(anyGrid, count, (grid, value) => {
        const price = priceOf(grid, ticks(value))
        expect(price).toBe(Number(priceText(grid, ticks(value))))
        expect(quantityOf(grid, steps(value))).toBe(Number(quantityText(grid, steps(value))))
        for (const rounding of ['down', 'up', 'nearest'] as const) {
          expect(roundToTicks(grid, price, rounding)).toBe(value)
        }
      }),
    )
  })
})

describe('money on the grid', () => {
  it('is exactly price × quantity', () => {
    fc.assert(
      fc.property(anyGrid, anyCount, anyCount, (grid, price, quantity) => {
        const exact = new Exact(price)
          .times(quantity)
          .div(10 ** grid.pricePrecision)
          .div(10 ** grid.quantityPrecision)
        const notional = notionalOf(grid, ticks(price), steps(quantity))
        expect(amountToText(notional)).toBe(exact.toFixed())
        expect(worthOf(grid, ticks(price), baseAmount(grid, steps(quantity)))).toBe(notional)
      }),
    )
  })

  it('is 105 for 0.0025 at 42000.00', () => {
    const grid = { pricePrecision: 2, quantityPrecision: 4 }
    expect(amountToText(notionalOf(grid, ticks(4_200_000), steps(25)))).toBe('105')
    expect(amountToText(priceAmount(grid, ticks(4_200_000)))).toBe('42000')
    expect(amountToText(baseAmount(grid, steps(25)))).toBe('0.0025')
  })

  it.each([
    ['0.000000000000000001', '0'],
    ['-0.000000000000000001', '0'],
    ['3', '0.99'],
    ['-3', '-0.99'],
  ])('of %s base at 0.33 is %s, towards zero', (base, worth) => {
    expect(amountToText(worthOf(CENTS, ticks(33), amountOf(base)))).toBe(worth)
  })

  it('keeps a quantity that went through base units', () => {
    fc.assert(
      fc.property(anyGrid, anyCount, (grid, count) => {
        expect(stepsWithin(grid, baseAmount(grid, steps(count)))).toBe(count)
      }),
    )
  })

  it('refuses a grid finer than an amount', () => {
    const grid = { pricePrecision: 10, quantityPrecision: 9 }
    expect(() => notionalOf(grid, ticks(1), steps(1))).toThrow('add up to 19, but amounts carry 18')
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Amount,
  amountFromNumber,
  amountToNumber,
  amountToText,
  divide,
  rateFromNumber,
} from '../../src/domain/numbers/amount.ts'
import { Decimal } from '../../src/domain/numbers/decimal.ts'
import {
  baseAmount,
  baseFor,
  gainOf,
  notionalOf,
  priceAmount,
  roundToSteps,
  steps,
  ticks,
} from '../../src/domain/numbers/grid.ts'

/** Amounts with many and with few digits: the few are what the shortcut takes. */
const anyAmount = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.constantFrom(1n, 10n ** 8n, 10n ** 12n))
  .map(([value, unit]) => (value * unit) as Amount) // every whole number of units is an amount

/** Amounts as near to the middle of two doubles as 18 decimals come, on either side. */
const nearMiddle = fc
  .record({
    double: fc.double({ noNaN: true, min: 0.001, max: 1_000_000 }),
    offset: fc.bigInt({ min: -2n, max: 2n }),
    sign: fc.constantFrom(1n, -1n),
  })
  .map(({ double, offset, sign }) => {
    const halfway = new Decimal(2).pow(Math.floor(Math.log2(double)) - 53)
    return (sign * (truncatedByText(new Decimal(double).plus(halfway)) + offset)) as Amount
  })

/** Amounts where a double no longer counts all units of 10^-10. */
const nearUnsafe = fc
  .record({
    shorts: fc.integer({ min: -10, max: 10 }),
    rest: fc.oneof(
      fc.constantFrom(0n, 1n, -1n, 50_000_000n),
      fc.bigInt({ min: -(10n ** 8n), max: 10n ** 8n }),
    ),
    power: fc.integer({ min: 45, max: 54 }),
    sign: fc.constantFrom(1n, -1n),
  })
  .map(
    ({ shorts, rest, power, sign }) =>
      (sign * ((2n ** BigInt(power) + BigInt(shorts)) * 10n ** 8n + rest)) as Amount,
  )

/** Balances after fees of many decimals, and fractions of one. */
const longAmount = fc
  .tuple(fc.integer({ min: -900_000, max: 900_000 }), fc.bigInt({ min: 0n, max: 10n ** 18n }))
  .map(([whole, part]) => (BigInt(whole) * 10n ** 18n + part) as Amount)

/** Numbers a strategy may compute, and numbers a person may write. */
const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }),
  fc.tuple(fc.integer(), fc.integer({ min: 0, max: 12 })).map(([value, decimals]) => value / 10 ** decimals),
)

/** By decimal.js from the shortest text, the way that has no shortcut. */
function truncatedByText(value: number | Decimal): bigint {
  return BigInt(new Decimal(value).toFixed(18, Decimal.ROUND_DOWN).replace('.', ''))
}

/** Safe and unsafe products of ticks and steps. */
const anyProduct = fc.record({
  price: fc
    .oneof(fc.integer({ min: 0, max: 1_000_000_000 }), fc.integer({ min: 0, max: 2 ** 52 }))
    .map(ticks),
  quantity: fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 2 ** 52 })).map(steps),
})

const anyGrid = fc.record({
  pricePrecision: fc.integer({ min: 0, max: 9 }),
  quantityPrecision: fc.integer({ min: 0, max: 9 }),
})

describe('the shortcuts of exact money change no digit:', () => {
  it('an amount as a double is the nearest one', () => {
    fc.assert(
      fc.property(fc.oneof(anyAmount, longAmount, nearMiddle, nearUnsafe), amount => {
        expect(amountToNumber(amount)).toBe(Number(amountToText(amount)))
      }),
      { numRuns: 10_000 },
    )
  })

  it('a number is an amount by its shortest text', () => {
    fc.assert(
      fc.property(anyNumber, value => {
        expect(amountFromNumber(value)).toBe(truncatedByText(value))
      }),
      { numRuns: 2000 },
    )
  })

  it('a rate that is asked for again, or after another, is the same', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 0.01, 0.95, 1, 1 / 3), { minLength: 2 }), values => {
        for (const value of values) expect(rateFromNumber(value)).toBe(truncatedByText(value))
      }),
    )
  })

  it('money divided by a price on the grid is money divided by what that price is worth', () => {
    const anyPrice = fc.integer({ min: 1, max: 2 ** 52 }).map(ticks)
    fc.assert(
      fc.property(anyAmount, anyPrice, fc.integer({ min: 0, max: 18 }), (money, price, pricePrecision) => {
        const grid = { pricePrecision, quantityPrecision: 0 }
        expect(baseFor(grid, money, price)).toBe(divide(money, priceAmount(grid, price)))
      }),
      { numRuns: 1000 },
    )
  })

  it('price × quantity and quantity × step are those of bigints, whatever was asked for before', () => {
    // Neighbours that differ in their grid only, so that nothing but the grid tells them apart.
    const anyQuestions = fc
      .tuple(
        fc.array(anyProduct, { minLength: 1, maxLength: 3 }),
        fc.array(anyGrid, { minLength: 1, maxLength: 3 }),
      )
      .chain(([products, grids]) =>
        fc.array(fc.tuple(fc.constantFrom(...products), fc.constantFrom(...grids)), {
          minLength: 2,
          maxLength: 12,
        }),
      )
    fc.assert(
      fc.property(anyQuestions, questions => {
        for (const [{ price, quantity }, grid] of questions) {
          const unit = 10n ** BigInt(18 - grid.pricePrecision - grid.quantityPrecision)
          expect(notionalOf(grid, price, quantity)).toBe(BigInt(price) * BigInt(quantity) * unit)
          const step = 10n ** BigInt(18 - grid.quantityPrecision)
          expect(baseAmount(grid, quantity)).toBe(BigInt(quantity) * step)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('a gain is the difference of what a quantity is worth at two prices, also of contracts', () => {
    const anyContract = fc.constantFrom(undefined, (10n ** 18n) as Amount, 123_456_789_012_345_678n as Amount)
    fc.assert(
      fc.property(anyGrid, anyContract, anyProduct, anyProduct, (grid, contractSize, from, to) => {
        const { quantity } = from
        const before = notionalOf({ ...grid, contractSize }, from.price, quantity)
        const after = notionalOf({ ...grid, contractSize }, to.price, quantity)
        expect(gainOf({ ...grid, contractSize }, from.price, to.price, quantity)).toBe(after - before)
      }),
      { numRuns: 1000 },
    )
  })

  it('steps that became base units are the same steps again, on their grid and not on another', () => {
    fc.assert(
      fc.property(anyGrid, anyProduct, anyGrid, (grid, { quantity }, other) => {
        const base = baseAmount(grid, quantity)
        expect(roundToSteps(grid, base)).toBe(quantity)
        const decimals = BigInt(18 - other.quantityPrecision)
        if (base % 10n ** decimals === 0n && base / 10n ** decimals <= BigInt(Number.MAX_SAFE_INTEGER))
          expect(roundToSteps(other, base)).toBe(Number(base / 10n ** decimals))
      }),
      { numRuns: 1000 },
    )
  })
})

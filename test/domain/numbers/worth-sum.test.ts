import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Amount, amountOf, ZERO } from '../../../src/domain/numbers/amount.ts'
import { WorthSum } from '../../../src/domain/numbers/worth-sum.ts'

/** Whole numbers of every size up to the largest safe one, of both signs. */
const whole = fc
  .tuple(fc.maxSafeInteger(), fc.integer({ min: 0, max: 52 }))
  .map(([value, bits]) => Math.trunc(value / 2 ** bits))

/** An amount, or a product of so many decimals. */
const part = fc.oneof(
  fc.record({ amount: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }) }),
  fc.record({ left: whole, right: whole, decimals: fc.integer({ min: 0, max: 18 }) }),
)

describe('a sum of worths', () => {
  it('has the digits of bigints, whether its products fit a double or not', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), parts => {
        const sum = new WorthSum(ZERO)
        let exact = 0n
        for (const one of parts) {
          if ('amount' in one) {
            sum.add(one.amount as Amount)
            exact += one.amount
          } else {
            sum.addProduct(one.left, one.right, one.decimals)
            exact += BigInt(one.left) * BigInt(one.right) * 10n ** BigInt(18 - one.decimals)
          }
          expect(sum.total).toBe(exact)
        }
      }),
    )
  })

  it('adds 0.1 and 0.2 to 0.3, and goes on where a double ends', () => {
    const sum = new WorthSum(amountOf('0.1'))
    sum.addProduct(1, 2, 1)
    expect(sum.total).toBe(amountOf('0.3'))
    sum.addProduct(Number.MAX_SAFE_INTEGER, 1, 1)
    sum.addProduct(Number.MAX_SAFE_INTEGER, 3, 1)
    // 4 × 900,719,925,474,099.1 and the 0.3 of before.
    expect(sum.total).toBe(amountOf('3602879701896396.7'))
  })
})

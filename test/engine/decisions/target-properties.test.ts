import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TargetAccount, type TargetTerms } from './target-market.ts'

/** More by hand: `RUNS=20000 npx vitest run test/engine/decisions/target-properties.test.ts`. */
const RUNS = Number(process.env.RUNS ?? 150)

const terms: fc.Arbitrary<TargetTerms> = fc.record({
  feeRate: fc.constantFrom('0', '0.0005', '0.001', '0.005'),
  paidIn: fc.constantFrom('received' as const, 'quote' as const),
  minNotional: fc.constantFrom('0', '0', '10'),
})

/** Prices of 1 to 1,000 USDT, so that one step is between a billionth and a tenth of the account. */
const markets = fc.array(
  fc.record({
    price: fc.integer({ min: 100, max: 100_000 }),
    quantityPrecision: fc.constantFrom(0, 1, 3, 5),
  }),
  { minLength: 1, maxLength: 5 },
)

/** All of the account's fractions together: often close to everything. */
const total = fc.oneof(
  fc.constantFrom(0.99, 0.985, 0.95),
  fc.integer({ min: 900, max: 990 }).map(share => share / 1000),
  fc.integer({ min: 0, max: 990 }).map(share => share / 1000),
)

/** What the markets' fractions are made of. */
interface Shares {
  readonly sum: number
  readonly weights: readonly number[]
}

const shares: fc.Arbitrary<Shares> = fc.record({
  sum: total,
  weights: fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 5, maxLength: 5 }),
})

/** Fractions of so many markets, which add up to at most the sum. */
function fractionsOf({ sum, weights }: Shares, { length }: readonly unknown[]): number[] {
  const used = weights.slice(0, length)
  const whole = used.reduce((left, right) => left + right, 0)
  return used.map(weight => (whole === 0 ? 0 : (sum * weight) / whole))
}

/** The markets that hold something else than their target, by more than a step and the fees of turning the account over. */
function isMissing(account: TargetAccount, wanted: readonly number[], { feeRate }: TargetTerms) {
  const rate = Number(feeRate)
  return wanted.flatMap((fraction, market) => {
    const [held, step] = [account.heldIn(market), account.stepIn(market)]
    const distance = held - fraction * account.equity
    const allowed = step * (1 + rate) + 2 * rate * fraction * account.equity
    const isPayable = distance > 0 || Number(account.cash) / 1e18 >= step * (1 + rate)
    return Math.abs(distance) <= allowed * (1 + 1e-9) + 1e-9 ? [] : [{ market, distance, isPayable }]
  })
}

/** True if a market holds less than its target by a step or more, so that an order for it is due. */
function lacksStep(account: TargetAccount, wanted: readonly number[]): boolean {
  const { equity } = account
  return wanted.some((fraction, market) => {
    const missing = fraction * equity - account.heldIn(market)
    return missing >= account.stepIn(market) * (1 - 1e-9)
  })
}

describe('a target in equity on spot, over one to five markets', () => {
  it('declared again at the same price never trades, whether its orders are on their way, filled in part or over', () => {
    fc.assert(
      fc.property(terms, markets, shares, fc.constantFrom(0, 0.3, 0.5), (given, all, drawn, part) => {
        const account = new TargetAccount(all, { ...given, minNotional: '0' })
        const wanted = fractionsOf(drawn, all)
        account.declare(wanted)
        expect(account.declare(wanted)).toEqual([])
        account.fill(part)
        expect(account.declare(wanted)).toEqual([])
        account.fill()
        expect(account.declare(wanted)).toEqual([])
        expect(account.declare(wanted)).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  it('is what is held once it has filled, within a step and the fees', () => {
    fc.assert(
      fc.property(terms, markets, shares, (given, all, drawn) => {
        const account = new TargetAccount(all, { ...given, minNotional: '0' })
        const wanted = fractionsOf(drawn, all)
        account.declare(wanted)
        account.fill()
        expect(isMissing(account, wanted, given)).toEqual([])
        expect(account.cash >= 0n).toBe(true)
      }),
      { numRuns: RUNS },
    )
  })

  it('that is higher never sells, that is lower never buys, and what free cash cut short comes with the next', () => {
    fc.assert(
      fc.property(terms, markets, shares, shares, (given, all, before, after) => {
        const account = new TargetAccount(all, given)
        const [old, wanted] = [fractionsOf(before, all), fractionsOf(after, all)]
        account.declare(old)
        account.fill()
        const isWrong = ({ market, side }: { readonly market: number; readonly side: 'buy' | 'sell' }) => {
          const growth = (wanted[market] ?? 0) - (old[market] ?? 0)
          return growth === 0 || growth > 0 !== (side === 'buy')
        }
        // Fees lower the equity from round to round, until a step of a coarse market is too much and its sale pays for another's rest.
        for (let round = 0; round < 3 + all.length; round++) {
          expect(account.declare(wanted).filter(isWrong)).toEqual([])
          account.fill()
        }
        const denied = account.denials.length
        expect(account.declare(wanted)).toEqual([])
        // Nothing is missing any more that could be bought. Where less than a step is missing, nothing is denied either.
        if (given.minNotional !== '0') return
        const isLeft = isMissing(account, wanted, given)
        expect(isLeft.filter(({ isPayable }) => isPayable)).toEqual([])
        if (!lacksStep(account, wanted)) expect(account.denials.length).toBe(denied)
        expect(account.cash >= 0n).toBe(true)
      }),
      { numRuns: RUNS },
    )
  })

  it('buys what the free money pays for where all targets together are more than that, and stays there', () => {
    const account = new TargetAccount(
      [
        { price: 10_000, quantityPrecision: 3 },
        { price: 10_000, quantityPrecision: 3 },
      ],
      { feeRate: '0.001', paidIn: 'quote', minNotional: '10' },
    )
    account.declare([0.8, 0.8])
    account.fill()
    // h = 0.8 × (10,000 − 0.001 × h), so h = 8,000 ÷ 1.0008 = 7,993.6; with its fee that leaves 1,998.4, which 1.001 a unit pay for.
    expect(account.heldIn(0)).toBeCloseTo(8000 / 1.0008, 0)
    expect(account.heldIn(1)).toBeCloseTo(1996.4, 0)
    expect(account.declare([0.8, 0.8])).toEqual([])
    expect(account.denials.at(-1)).toMatch(/^The order needs .* USDT, but only .* USDT is free\.$/)
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PriceGuard } from '../../../src/execution/gates/price-guard.ts'
import type { Quote } from '../../../src/matching/trigger-book.ts'

const SYMBOL = 'BTC/USDT'
/** A quote with a spread of 0.02 around its last price. */
const at = (last: number): Quote => ({ bid: last - 0.01, ask: last + 0.01, last })

/** A guard of 5%, which has accepted 100. */
function guard(): PriceGuard {
  const made = new PriceGuard(0.05)
  made.witness(SYMBOL, 100)
  return made
}

/** What is believed of each quote, by its last price. */
function believed(made: PriceGuard, ...quotes: readonly Quote[]): readonly (number | undefined)[] {
  return quotes.map(quote => made.believed(SYMBOL, quote)?.last)
}

describe('PriceGuard', () => {
  it.each([95, 96, 100, 104, 105])('believes %d after 100 at once', price => {
    expect(believed(guard(), { bid: price, ask: price, last: price })).toEqual([price])
  })

  it.each([94.9, 70, 0.1, 105.1, 300])('believes %d after 100 at the second look', price => {
    const quote = { bid: price, ask: price, last: price }
    expect(believed(guard(), quote, quote)).toEqual([undefined, price])
  })

  it('forgets a price that the next look does not show', () => {
    expect(believed(guard(), at(50), at(100), at(50), at(100))).toEqual([undefined, 100, undefined, 100])
  })

  it('does not take a look far above for a support of one far below', () => {
    expect(believed(guard(), at(50), at(150), at(50))).toEqual([undefined, undefined, undefined])
  })

  it('believes in a crash as far as two looks agree, and follows it', () => {
    const quotes = [70, 45, 44].map(last => ({ bid: last, ask: last, last }))
    expect(believed(guard(), ...quotes)).toEqual([undefined, 70, 45])
  })

  it('follows a crash whose second look ends exactly at the bound of the third', () => {
    const made = new PriceGuard(0.5)
    made.witness(SYMBOL, 100)
    const quotes = [40, 20, 10].map(last => ({ bid: last, ask: last, last }))
    expect(believed(made, ...quotes)).toEqual([undefined, 40, 20])
    const up = new PriceGuard(0.5)
    up.witness(SYMBOL, 100)
    const rising = [160, 240, 300].map(last => ({ bid: last, ask: last, last }))
    expect(believed(up, ...rising)).toEqual([undefined, 160, 240])
  })

  it('believes what two looks are beyond where the first of them moved the bounds past itself', () => {
    // The second look supports the first, which moves the bound to 86.45; the third supports the second.
    expect(believed(guard(), at(91), at(90), at(50))).toEqual([undefined, 91, 90])
    expect(believed(guard(), at(109), at(110), at(150))).toEqual([undefined, 109, 110])
  })

  it('believes no more of a glitch that follows a doubted rise than the rise', () => {
    expect(believed(guard(), at(106), at(1000))).toEqual([undefined, 106])
    expect(believed(guard(), at(94), at(1))).toEqual([undefined, 94])
  })

  it('doubts a last price outside the best prices of its own look, a tenth as far', () => {
    const quote = (last: number): Quote => ({ bid: 99.9, ask: 100.1, last })
    expect(believed(guard(), quote(99.5))).toEqual([99.5])
    expect(believed(guard(), quote(99.3), quote(100))).toEqual([undefined, 100])
    expect(believed(guard(), quote(99.3), quote(99.3))).toEqual([undefined, 99.3])
  })

  it('doubts an ask far below and a bid far above, which would fire take-profits', () => {
    expect(believed(guard(), { bid: 50, ask: 60, last: 100 })).toEqual([undefined])
    expect(believed(guard(), { bid: 150, ask: 160, last: 100 })).toEqual([undefined])
  })

  it('takes an empty side of the book for none, not for a price of 0', () => {
    expect(believed(guard(), { bid: 0, ask: Number.POSITIVE_INFINITY, last: 99 })).toEqual([99])
    expect(believed(guard(), { bid: 0, ask: 100.1, last: 99 })).toEqual([99])
  })

  it('takes a witness of another source before or after a quote for the second look', () => {
    const before = guard()
    before.witness(SYMBOL, 72)
    expect(believed(before, at(70))).toEqual([72])
    const after = guard()
    expect(believed(after, at(70))).toEqual([undefined])
    after.witness(SYMBOL, 72)
    expect(believed(after, at(70.5))).toEqual([70.5])
  })

  it('believes of a doubted rise or fall what a witness beyond the bounds agrees with, the nearer of both', () => {
    const accepted = (quoted: number, witnessed: number) => {
      const made = guard()
      made.believed(SYMBOL, at(quoted))
      made.witness(SYMBOL, witnessed)
      return made.acceptedOf(SYMBOL)
    }
    expect([accepted(130, 120), accepted(120, 130)]).toEqual([120, 120])
    expect([accepted(70, 80), accepted(80, 70)]).toEqual([80, 80])
    // One that is within the bounds, or beyond the others, says nothing.
    expect([accepted(130, 105), accepted(130, 70), accepted(70, 95), accepted(70, 130)]).toEqual([
      100, 100, 100, 100,
    ])
  })

  it.each([0, -1, Number.NaN])('is not moved by a witness of %d, which is no price', price => {
    const made = new PriceGuard(0.05)
    made.witness(SYMBOL, price)
    expect(made.acceptedOf(SYMBOL)).toBeUndefined()
    made.witness(SYMBOL, 100)
    made.witness(SYMBOL, price)
    expect(believed(made, at(70))).toEqual([undefined])
  })

  it('is not put off by a kline that closed before a crash', () => {
    const made = guard()
    expect(believed(made, at(70))).toEqual([undefined])
    made.witness(SYMBOL, 100)
    expect(believed(made, at(70))).toEqual([70])
  })

  it('knowing no price believes a first quote that its own best prices support, and no other', () => {
    expect(believed(new PriceGuard(0.05), at(100))).toEqual([100])
    expect(believed(new PriceGuard(0.05), { bid: 99, ask: 100, last: 5 })).toEqual([undefined])
    const empty = { bid: 0, ask: Number.POSITIVE_INFINITY, last: 100 }
    expect(believed(new PriceGuard(0.05), empty, empty)).toEqual([undefined, 100])
  })

  it('keeps symbols apart', () => {
    const made = guard()
    made.witness('ETH/USDT', 10)
    expect(believed(made, at(100))).toEqual([100])
    expect(made.acceptedOf('ETH/USDT')).toBe(10)
  })

  const price = fc.double({ min: 0.01, max: 1000, noNaN: true })
  const quote = fc
    .tuple(price, price, price)
    .map(([one, other, last]): Quote => ({ bid: Math.min(one, other), ask: Math.max(one, other), last }))

  it('property: one odd look among looks at the same price never shows a price beyond the bounds', () => {
    fc.assert(
      fc.property(quote, fc.integer({ min: 0, max: 5 }), (odd, place) => {
        const looks = Array.from({ length: 6 }, (_, index) => (index === place ? odd : at(100)))
        const made = guard()
        for (const look of looks) {
          const shown = made.believed(SYMBOL, look)
          if (shown === undefined) continue
          expect(shown.last).toBeGreaterThanOrEqual(95)
          expect(shown.last).toBeLessThanOrEqual(105)
          expect(Math.min(shown.last, shown.ask)).toBeGreaterThanOrEqual(95)
          expect(Math.max(shown.last, shown.bid)).toBeLessThanOrEqual(105)
        }
      }),
    )
  })

  it('property: one look alone never moves a price further than the largest jump, up or down', () => {
    fc.assert(
      fc.property(fc.array(quote, { minLength: 2, maxLength: 8 }), looks => {
        const made = guard()
        let before: Quote = { bid: 100, ask: 100, last: 100 }
        for (const look of looks) {
          const accepted = made.acceptedOf(SYMBOL) ?? Number.NaN
          const shown = made.believed(SYMBOL, look)
          const highest = Math.max(before.last, before.bid, accepted * 1.05)
          const lowest = Math.min(before.last, before.ask, accepted * 0.95)
          before = look
          if (shown === undefined) continue
          expect(shown.last).toBeLessThanOrEqual(highest * (1 + 1e-12))
          expect(shown.last).toBeGreaterThanOrEqual(lowest * (1 - 1e-12))
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('property: what two looks in a row are both beyond is shown by the second, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(quote, { maxLength: 5 }), price, price, price, (before, stop, one, other) => {
        const made = guard()
        for (const look of before) made.believed(SYMBOL, look)
        fc.pre(stop <= (made.acceptedOf(SYMBOL) ?? 100))
        // Both looks have fallen to the stop or below it: a sale that waits for it is due.
        const [first, second] = [one, other].map(last => Math.min(last, stop))
        const looks = [first, second].map((last = 0): Quote => ({ bid: last, ask: last, last }))
        const shown = looks.map(look => made.believed(SYMBOL, look))
        expect(shown.some(look => look !== undefined && look.last <= stop)).toBe(true)
      }),
    )
  })
})

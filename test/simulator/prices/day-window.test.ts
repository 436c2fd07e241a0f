import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { notionalOf, steps, ticks } from '../../../src/domain/numbers/grid.ts'
import { PrintTape } from '../../../src/simulator/markets/print-tape.ts'
import type { Print } from '../../../src/simulator/prices/print.ts'

const GRID = { pricePrecision: 2, quantityPrecision: 5 }
const DAY = 86_400_000

/** What the last 24 hours are, said in the plainest way. */
function expected(prints: readonly Print[], now: number) {
  const newest = prints.at(-1)
  if (newest === undefined) return undefined
  const inside = prints.filter(({ time }) => time > now - DAY)
  const [first = newest] = inside
  const prices = [first, ...inside].map(({ price }) => price)
  return {
    time: first.time,
    open: first.price,
    high: Math.max(...prices),
    low: Math.min(...prices),
    last: newest.price,
    volume: inside.reduce((sum, { quantity }) => sum + quantity, 0),
    amount: inside.reduce((sum, { price, quantity }) => sum + notionalOf(GRID, price, quantity), 0n),
  }
}

const print = fc.record({
  pause: fc.oneof(fc.nat(1000), fc.nat(DAY / 4), fc.nat(DAY * 2)),
  price: fc.integer({ min: 1, max: 50 }),
  quantity: fc.nat(1000),
})

describe('the last 24 hours of a tape', () => {
  it('are what they are, whenever and however often someone asks', () => {
    const looks = fc.array(fc.tuple(print, fc.boolean(), fc.integer({ min: -DAY, max: DAY })), {
      maxLength: 60,
    })
    fc.assert(
      fc.property(looks, events => {
        const [tape, prints]: [PrintTape, Print[]] = [new PrintTape(), []]
        let now = 0
        for (const [{ pause, price, quantity }, isAsked, shift] of events) {
          now += pause
          const next = { time: now, price: ticks(price), quantity: steps(quantity), side: 'buy' } as const
          tape.record(next)
          prints.push(next)
          if (isAsked) expect(tape.lastDay(GRID, now)).toEqual(expected(prints, now))
          // A clock that is ahead or behind asks too, and leaves no trace.
          if (isAsked) expect(tape.lastDay(GRID, now + shift)).toEqual(expected(prints, now + shift))
        }
        expect(tape.lastDay(GRID, now)).toEqual(expected(prints, now))
      }),
      { numRuns: 300 },
    )
  })

  it('are counted anew by someone who has not asked while more than that went by', () => {
    const tape = new PrintTape()
    const prints = Array.from({ length: 20_000 }, (_, index) => ({
      time: index * 20_000,
      price: ticks(100 + ((index * 7919) % 101)),
      quantity: steps(index % 17),
      side: 'sell' as const,
    }))
    for (const [index, next] of prints.entries()) {
      tape.record(next)
      const isAsked = index === 10 || index === 19_000 || index === 19_999
      if (isAsked)
        expect(tape.lastDay(GRID, next.time)).toEqual(expected(prints.slice(0, index + 1), next.time))
    }
  })
})

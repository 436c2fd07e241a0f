import fc from 'fast-check'
import { type Entry, type Loses, NOW } from './history-server.ts'

const [MINUTE, DAY] = [60_000, 86_400_000]

/** Entries of the last months, oldest first, many of them in one ms; at most `crowd` there. */
export function entriesArbitrary(crowd: number): fc.Arbitrary<readonly Entry[]> {
  const gap = fc.oneof(
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: MINUTE }),
    fc.integer({ min: DAY, max: 12 * DAY }),
  )
  const count = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: crowd }))
  const clusters = fc.array(fc.tuple(gap, count), { maxLength: 30, size: 'max' })
  return fc.tuple(clusters, fc.bigInt({ min: 1n, max: 2n ** 60n })).map(([clusters, firstId]) => {
    const length = clusters.reduce((sum, [gap]) => sum + gap, 0)
    const entries: Entry[] = []
    let time = NOW - Math.max(length, 0) - MINUTE
    for (const [gap, count] of clusters) {
      time += gap
      for (let index = 0; index < count; index++) {
        entries.push({ id: firstId + BigInt(entries.length * 3), time })
      }
    }
    return entries.filter(({ time }) => time > NOW - 170 * DAY)
  })
}

/** Which answers are lost: a quarter of them. */
export const losesArbitrary: fc.Arbitrary<Loses> = fc
  .array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 60 })
  .map(numbers => call => call >= 0 && numbers[call % numbers.length] === 0)

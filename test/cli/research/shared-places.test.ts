import { expect, it } from 'vitest'
import { SharedPlaces } from '../../../src/cli/research/shared-places.ts'

/** Numbers of sets that are taken one after the other, by two threads in turns. */
function takenOf(sets: number): readonly number[] {
  const first = new SharedPlaces(sets, 2)
  const second = new SharedPlaces(sets, 2, first.next)
  const taken: number[] = []
  for (let end = 0; ; ) {
    const places = (taken.length % 2 === 0 ? first : second).take()
    if (places === undefined) return taken
    expect(places.first).toBe(end)
    end = places.end
    taken.push(end - places.first)
  }
}

it('hands out each set once, few at a time, and one by one at the end', () => {
  expect(takenOf(40)).toEqual([8, 8, 6, 5, 4, 3, 2, 1, 1, 1, 1])
  expect(takenOf(1)).toEqual([1])
})

it('hands out no more once a thread ends it', () => {
  const first = new SharedPlaces(40, 2)
  const second = new SharedPlaces(40, 2, first.next)
  second.end()
  expect(first.take()).toBeUndefined()
})

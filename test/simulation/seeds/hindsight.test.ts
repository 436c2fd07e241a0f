import { expect, it } from 'vitest'
import { Hindsight } from './hindsight.ts'

it('knows what was known after the latest entry, and forgets what a dead bot took with it', () => {
  const hindsight = new Hindsight('nothing')
  expect([hindsight.latest, hindsight.before(1)]).toEqual(['nothing', 'nothing'])
  hindsight.note(1, 'one')
  hindsight.note(2, 'two')
  hindsight.note(4, 'four')
  expect(hindsight.latest).toBe('four')
  // Entry 3 is written anew: 4 was never on the disk.
  expect(hindsight.before(3)).toBe('two')
  hindsight.note(3, 'three')
  expect(hindsight.before(4)).toBe('three')
  expect(hindsight.before(1)).toBe('nothing')
})

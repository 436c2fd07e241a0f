import { expect, it } from 'vitest'
import { DelayedActions } from '../../src/simulator/delayed-actions.ts'

it('what is put off happens by moment, and in the order it was put off where moments are equal', () => {
  const [actions, done] = [new DelayedActions(), [] as string[]]
  for (const [time, name] of [
    [20, 'c'],
    [10, 'a'],
    [20, 'd'],
    [10, 'b'],
  ] as const) {
    actions.putOff(time, () => done.push(name))
  }
  const moments = []
  for (let next = actions.nextAt; next !== undefined; next = actions.nextAt) {
    moments.push(next)
    actions.actNext()
  }
  expect([moments, done]).toEqual([
    [10, 10, 20, 20],
    ['a', 'b', 'c', 'd'],
  ])
})

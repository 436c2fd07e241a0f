import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { OneATurn } from '../../src/exchange/one-a-turn.ts'

describe('OneATurn', () => {
  it('does one piece a turn, in order, also of what comes meanwhile', async () => {
    const turns = new OneATurn()
    const done: string[] = []
    turns.add(() => {
      done.push('a')
      turns.add(() => done.push('c'))
    })
    turns.add(() => done.push('b'))
    expect(done).toEqual([])
    const seen: string[] = []
    for (let turn = 0; turn < 4; turn++) {
      await nextTurn()
      seen.push(done.join(''))
    }
    expect(seen).toEqual(['a', 'ab', 'abc', 'abc'])
  })

  it('goes on after a piece that throws', async () => {
    const turns = new OneATurn()
    const done: string[] = []
    const failures: unknown[] = []
    const listeners = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.once('uncaughtException', error => failures.push(error))
    try {
      turns.add(() => {
        throw new Error('broken')
      })
      turns.add(() => done.push('b'))
      for (let turn = 0; turn < 3; turn++) await nextTurn()
    } finally {
      for (const listener of listeners) process.on('uncaughtException', listener)
    }
    expect(failures).toEqual([new Error('broken')])
    expect(done).toEqual(['b'])
  })
})

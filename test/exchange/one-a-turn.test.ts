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

  it('makes way for a turn after something more urgent came', async () => {
    const turns = new OneATurn()
    const done: string[] = []
    turns.add(() => done.push('a'))
    turns.add(() => done.push('b'))
    turns.makeWay()
    const seen: string[] = []
    for (let turn = 0; turn < 4; turn++) {
      await nextTurn()
      if (turn === 1) turns.makeWay()
      seen.push(done.join(''))
    }
    expect(seen).toEqual(['', 'a', 'a', 'ab'])
  })

  it('makes way for a few turns in a row only', async () => {
    const turns = new OneATurn()
    let done = 0
    for (let piece = 0; piece < 10; piece++) turns.add(() => done++)
    for (let turn = 0; turn < 27; turn++) {
      turns.makeWay()
      await nextTurn()
    }
    expect(done).toBe(3)
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

import { describe, expect, it } from 'vitest'
import { SharedCommit } from '../../src/bot/shared-commit.ts'

/** What happened in which order: commits, and requests whose bytes leave a tick after they were let go. */
class Departures {
  readonly seen: string[] = []
  fails = false
  readonly #commit = new SharedCommit(() => {
    if (this.fails) throw new Error('the disk is full')
    this.seen.push('commit')
  })

  async leave(name: string): Promise<void> {
    this.seen.push(`note ${name}`)
    try {
      await this.#commit.join()
    } catch (error) {
      this.seen.push(`keep ${name}: ${error instanceof Error ? error.message : error}`)
      return
    }
    this.seen.push(`make ${name}`)
    process.nextTick(() => this.seen.push(`sent ${name}`))
  }
}

const quiet = () => new Promise(resolve => setImmediate(resolve))

/** Notes one request a tick. */
function tickAfterTick(departures: Departures, names: readonly string[]): void {
  const [name, ...others] = names
  if (name === undefined) return
  void departures.leave(name)
  process.nextTick(() => tickAfterTick(departures, others))
}

describe('requests that are about to leave', () => {
  it('share one commit when they are noted in one turn, and leave one after another', async () => {
    const departures = new Departures()
    for (const name of ['a', 'b', 'c']) void departures.leave(name)
    await quiet()
    expect(departures.seen).toEqual([
      ...['note a', 'note b', 'note c', 'commit'],
      ...['make a', 'sent a', 'make b', 'sent b', 'make c', 'sent c'],
    ])
  })

  it('share one commit when each follows a tick after the one before', async () => {
    const departures = new Departures()
    tickAfterTick(departures, ['a', 'b', 'c'])
    await quiet()
    expect(departures.seen.filter(what => what === 'commit')).toHaveLength(1)
    expect(departures.seen.indexOf('commit')).toBeLessThan(departures.seen.indexOf('make a'))
    expect(departures.seen.indexOf('note c')).toBeLessThan(departures.seen.indexOf('commit'))
  })

  it('wait for a few others only', async () => {
    const departures = new Departures()
    const names = Array.from({ length: 40 }, (_, index) => `${index}`)
    tickAfterTick(departures, names)
    await quiet()
    const before = departures.seen.slice(0, departures.seen.indexOf('commit'))
    expect(before.length).toBeLessThanOrEqual(6)
    expect(departures.seen.filter(what => what.startsWith('sent'))).toEqual(names.map(name => `sent ${name}`))
  })

  it('never leave before a commit that came after they were noted', async () => {
    const departures = new Departures()
    tickAfterTick(
      departures,
      Array.from({ length: 25 }, (_, index) => `${index}`),
    )
    await quiet()
    const { seen } = departures
    for (const [at, what] of seen.entries()) {
      if (!what.startsWith('make')) continue
      const noted = seen.indexOf(what.replace('make', 'note'))
      expect(seen.slice(noted, at)).toContain('commit')
    }
  })

  it('all stay where the commit fails, and later ones are asked anew', async () => {
    const departures = new Departures()
    departures.fails = true
    for (const name of ['a', 'b']) void departures.leave(name)
    await quiet()
    departures.fails = false
    void departures.leave('c')
    await quiet()
    expect(departures.seen).toEqual([
      ...['note a', 'note b', 'keep a: the disk is full', 'keep b: the disk is full'],
      ...['note c', 'commit', 'make c', 'sent c'],
    ])
  })
})

import { setImmediate as nextTurn } from 'node:timers/promises'
import { from, Subject } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { oneATick } from '../../src/bot/one-a-tick.ts'

/** What happens with each value: it is taken, and in the next tick its request is out. */
function takerInto(seen: string[]) {
  return (value: number): void => {
    seen.push(`took ${value}`)
    process.nextTick(() => seen.push(`sent ${value}`))
  }
}

describe('oneATick', () => {
  it('lets the request of one value out before it passes on the next that came with it', async () => {
    const seen: string[] = []
    const values$ = new Subject<number>()
    values$.pipe(oneATick()).subscribe(takerInto(seen))
    for (const value of [1, 2, 3]) values$.next(value)
    expect(seen).toEqual(['took 1'])
    await nextTurn()
    expect(seen).toEqual(['took 1', 'sent 1', 'took 2', 'sent 2', 'took 3', 'sent 3'])
  })

  it('passes on at once what comes alone, and keeps the order of what comes from elsewhere meanwhile', async () => {
    const seen: string[] = []
    const values$ = new Subject<number>()
    values$.pipe(oneATick()).subscribe(takerInto(seen))
    values$.next(1)
    await nextTurn()
    values$.next(2)
    expect(seen).toEqual(['took 1', 'sent 1', 'took 2'])
    await Promise.resolve().then(() => values$.next(3))
    process.nextTick(() => values$.next(4))
    await nextTurn()
    expect(seen.filter(what => what.startsWith('took'))).toEqual(['took 1', 'took 2', 'took 3', 'took 4'])
  })

  it('passes on nothing more to who has left', async () => {
    const seen: string[] = []
    const subscription = from([1, 2, 3]).pipe(oneATick()).subscribe(takerInto(seen))
    subscription.unsubscribe()
    await nextTurn()
    expect(seen).toEqual(['took 1', 'sent 1'])
  })
})

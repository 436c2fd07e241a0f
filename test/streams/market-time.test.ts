import {
  debounceTime,
  delay,
  interval,
  map,
  merge,
  type Observable,
  takeUntil,
  tap,
  throttleTime,
  timer,
} from 'rxjs'
import { describe, expect, it } from 'vitest'
import { enterLong, exit } from '../../src/strategy/index.ts'
import { MINUTE } from '../simulator/exchange-caller.ts'
import { sessionOf } from './stream-session.ts'

/** Does what it does, and signals nothing. */
function silently(stream$: Observable<unknown>): Observable<undefined> {
  return stream$.pipe(map(() => undefined))
}

describe('the scheduler of market time', () => {
  it('does what is due with the first event at or after its time, and never by itself', () => {
    const session = sessionOf(({ klines$, context: { scheduler } }) =>
      merge(silently(klines$), timer(2.5 * MINUTE, scheduler).pipe(map(() => enterLong()))),
    )
    // It begins with the kline that closes at 1:00, so that it is due at 3:30.
    expect([101, 102, 103].map(price => session.kline(price))).toEqual([[], [], []])
    expect(session.kline(104)).toEqual(['entry buy 1 market'])
  })

  it('shows a kline after what was due before its close, and before what is due at its close', () => {
    const seen: string[] = []
    const session = sessionOf(({ klines$, context: { scheduler } }) =>
      silently(
        merge(
          timer(MINUTE - 1, scheduler).pipe(tap(() => seen.push('early'))),
          timer(MINUTE, scheduler).pipe(tap(() => seen.push('at'))),
          klines$.pipe(tap(({ close }) => seen.push(`kline ${close}`))),
        ),
      ),
    )
    session.kline(1)
    session.kline(2)
    expect(seen).toEqual(['kline 1', 'early', 'kline 2', 'at'])
  })

  it('tells its own time to what was due earlier, and that of the event to everybody else', () => {
    const seen: unknown[] = []
    const session = sessionOf(({ klines$, context }) =>
      silently(
        merge(
          klines$,
          interval(30_000, context.scheduler).pipe(
            tap(() => seen.push([context.scheduler.now(), context.time])),
          ),
        ),
      ),
    )
    for (const price of [1, 2, 3]) session.kline(price)
    expect(seen).toEqual([
      [90_000, 120_000],
      [120_000, 120_000],
      [150_000, 180_000],
      [180_000, 180_000],
    ])
  })

  it('works with fills, whose time is theirs', () => {
    const session = sessionOf(({ klines$, fills$, context: { scheduler } }) =>
      merge(
        klines$.pipe(map((_kline, index) => (index === 0 ? enterLong() : undefined))),
        fills$.pipe(
          delay(90_000, scheduler),
          map(() => exit()),
        ),
      ),
    )
    session.kline(100)
    expect(session.fill(1, 100)).toEqual([])
    expect(session.kline(100)).toEqual([])
    expect(session.kline(100)).toEqual(['exit sell 1 market reduceOnly'])
  })

  it('lets operators of rxjs count market time', () => {
    const [throttled, debounced]: [number[], number[]] = [[], []]
    const session = sessionOf(({ klines$, context: { scheduler } }) =>
      silently(
        merge(
          klines$.pipe(
            throttleTime(150_000, scheduler),
            tap(({ close }) => throttled.push(close)),
          ),
          klines$.pipe(
            debounceTime(30_000, scheduler),
            tap(({ close }) => debounced.push(close)),
          ),
        ),
      ),
    )
    for (let price = 1; price <= 7; price++) session.kline(price)
    // A kline a minute: after one that passes, those of the next two and a half minutes do not.
    expect(throttled).toEqual([1, 4, 7])
    // Half a minute after each kline but the last there was silence; it is over with the next.
    expect(debounced).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('begins at the first kline, and drops what nobody waits for any more', () => {
    let ticks = 0
    const session = sessionOf(({ klines$, context: { scheduler } }) =>
      silently(
        merge(
          klines$,
          interval(1000, scheduler).pipe(
            takeUntil(timer(90_500, scheduler)),
            tap(() => ticks++),
          ),
        ),
      ),
    )
    for (let price = 1; price <= 5; price++) session.kline(price)
    expect(ticks).toBe(90)
  })

  it('stops the strategy for an error in what it does', () => {
    const session = sessionOf(({ klines$, context: { scheduler } }) => {
      scheduler.schedule(() => {
        throw new Error('at one thirty')
      }, 30_000)
      return silently(klines$)
    })
    expect(session.kline(1)).toEqual([])
    expect(session.kline(2)).toEqual(['strategy failed'])
  })
})

import {
  asapScheduler,
  concat,
  map,
  merge,
  NEVER,
  type Observable,
  observeOn,
  of,
  Subject,
  scan,
  take,
  timer,
  timestamp,
} from 'rxjs'
import { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider'
import { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/domain/sluice-error.ts'
import { cancelEntries, enterLong, exit, integer, sma } from '../../src/strategy/index.ts'
import { defineStreamStrategy } from '../../src/streams/index.ts'
import { EngineSession } from '../engine/engine-session.ts'
import { failureOf, sessionOf } from './stream-session.ts'

describe('a stream strategy', () => {
  it('plots from its streams, but for klines of its warm-up', () => {
    const plotted: unknown[] = []
    const session = sessionOf(
      ({ klines$, context: { plot } }) => klines$.pipe(map(({ close }) => void plot({ close }))),
      { warmUp: () => 1 },
    )
    session.engine.explainTo(explanation => {
      if (explanation.type === 'plotted') plotted.push([explanation.time, explanation.values])
    })
    for (const price of [100, 101, 102]) session.kline(price)
    expect(plotted).toEqual([
      [120_000, { close: 101 }],
      [180_000, { close: 102 }],
    ])
  })

  it('decides on the kline that its stream answers', () => {
    const session = sessionOf(({ klines$ }) =>
      klines$.pipe(map(({ close }) => (close > 100 ? enterLong() : undefined))),
    )
    expect(session.kline(100)).toEqual([])
    expect(session.kline(101)).toEqual(['entry buy 1 market'])
  })

  it('makes one decision, in order, of everything that it signals on one kline', () => {
    const session = sessionOf(({ klines$ }) =>
      merge(
        klines$.pipe(map(() => enterLong({ order: { type: 'limit', price: 90 } }))),
        klines$.pipe(map(() => [enterLong({ order: { type: 'limit', price: 80 } })])),
      ),
    )
    // Entries of one decision do not replace each other.
    expect(session.kline(100)).toEqual(['entry buy 1 limit 90', 'entry buy 1 limit 80'])
    expect(session.kline(100)).toEqual(['cancel 1', 'cancel 2'])
  })

  it('sees its fills and the changes of its orders', () => {
    const seen: unknown[] = []
    const session = sessionOf(({ klines$, fills$, orders$ }) =>
      merge(
        klines$.pipe(
          take(1),
          map(() => enterLong({ tag: 'first' })),
        ),
        orders$.pipe(
          map(({ status, tag }) => {
            seen.push([status, tag])
            return undefined
          }),
        ),
        fills$.pipe(map(({ price }) => exit({ order: { type: 'limit', price: price + 5 } }))),
        NEVER,
      ),
    )
    session.kline(100)
    expect(seen).toEqual([
      ['submitted', 'first'],
      ['open', 'first'],
    ])
    expect(session.fill(1, 100)).toEqual(['exit sell 1 limit 105 reduceOnly'])
  })

  it('reads indicators, position and market time as they are at the event that is shown', () => {
    const seen: unknown[] = []
    const session = sessionOf(
      ({ klines$, fills$, indicators: { average }, context }) =>
        merge(
          klines$.pipe(
            map(({ close, closeTime, interval }) => {
              const { time, position, instrument } = context
              seen.push([close, average.value, average.previous, closeTime, time, position.direction])
              expect([interval, instrument.symbol]).toEqual(['1m', 'BTC/USDT'])
              return position.direction === 'flat' ? enterLong() : undefined
            }),
          ),
          fills$.pipe(
            map(() => {
              seen.push(context.position.entryPrice)
              return undefined
            }),
          ),
        ),
      { indicators: () => ({ average: sma(2) }), warmUp: () => 1 },
    )
    session.kline(10)
    session.kline(20)
    session.fill(1, 21)
    session.kline(30)
    expect(seen).toEqual([
      [10, Number.NaN, Number.NaN, 60_000, 60_000, 'flat'],
      [20, 15, Number.NaN, 120_000, 120_000, 'flat'],
      21,
      [30, 25, 15, 180_000, 180_000, 'long'],
    ])
  })

  it('shows the klines of the warm-up and decides nothing on them', () => {
    const session = sessionOf(
      ({ klines$ }) =>
        klines$.pipe(
          scan((sum, { close }) => sum + close, 0),
          map(sum => (sum >= 30 ? enterLong({ size: { base: sum } }) : undefined)),
        ),
      { warmUp: () => 2 },
    )
    expect(session.history(20)).toEqual([])
    expect(session.history(30)).toEqual([])
    expect(session.kline(1)).toEqual(['entry buy 51 market'])
  })

  it('decides with the first event what it signals at once', () => {
    const session = sessionOf(({ klines$ }) => concat(of(enterLong()), klines$.pipe(map(() => undefined))))
    expect(session.kline(100)).toEqual(['entry buy 1 market'])
    expect(session.kline(100)).toEqual([])
  })

  it('begins streams of its own in every run', () => {
    const strategy = defineStreamStrategy({
      name: 'counter',
      signals: ({ klines$ }) => klines$.pipe(map((_kline, index) => (index === 1 ? enterLong() : undefined))),
    })
    for (const session of [new EngineSession(strategy), new EngineSession(strategy)]) {
      expect([session.kline(100), session.kline(100)]).toEqual([[], ['entry buy 1 market']])
    }
  })

  it('takes parameters as every strategy does', () => {
    const strategy = defineStreamStrategy({
      name: 'sized',
      parameters: { size: integer({ default: 2, min: 1, max: 9, description: 'Base units.' }) },
      check: ({ size }) => (size === 5 ? 'five is right out.' : undefined),
      signals: ({ klines$, parameters: { size } }) =>
        klines$.pipe(map(() => enterLong({ size: { base: size } }))),
    })
    expect(new EngineSession(strategy).kline(100)).toEqual(['entry buy 2 market'])
    expect(() => strategy.parameterValues({ size: 5 })).toThrow('five is right out.')
  })

  it.each([
    ['onKline', { name: 'wrong', signals: () => NEVER, onKline: () => undefined }, 'has no part "onKline"'],
    ['no signals', { name: 'wrong' }, 'needs signals: ({ klines$ }) => klines$.pipe(…)'],
    ['no name', { name: '', signals: () => NEVER }, 'A strategy needs a name'],
  ])('refuses a definition with %s', (_what, definition, message) => {
    // What a file without types may hold.
    expect(() => defineStreamStrategy(definition as Parameters<typeof defineStreamStrategy>[0])).toThrow(
      message,
    )
  })
})

describe('an error in a stream', () => {
  it('stops the strategy, and is told with strategy, stream, kline and cause', () => {
    const cause = new RangeError('no such row')
    const session = sessionOf(({ klines$ }) =>
      klines$.pipe(
        map(({ close }) => {
          if (close > 100) throw cause
          return enterLong({ order: { type: 'limit', price: 90 } })
        }),
      ),
    )
    session.kline(100)
    expect(session.kline(101)).toEqual(['strategy failed', 'cancel 1'])
    const error = failureOf(session)
    expect(error.message).toBe(
      'Strategy "streams" on BTC/USDT at 1970-01-01T00:02:00.000Z failed in its streams, when klines$ showed the kline of 1970-01-01T00:01:00.000Z: no such row',
    )
    expect(error.cause).toBe(cause)
  })

  it('is found on a kline of the warm-up as well', () => {
    const session = sessionOf(
      ({ klines$ }) =>
        klines$.pipe(
          map(({ close }) => {
            if (close === 7) throw new Error('seven')
            return undefined
          }),
        ),
      { warmUp: () => 1 },
    )
    session.kline(7)
    session.kline(8)
    expect(failureOf(session).message).toMatch('klines$ showed the kline of 1970-01-01T00:00:00.000Z: seven')
  })

  it('is found where signals makes its streams', () => {
    const session = sessionOf(() => {
      throw new Error('cannot begin')
    })
    session.kline(1)
    expect(failureOf(session).message).toMatch('failed in its streams, in signals: cannot begin')
  })

  it('is found in a subscription that nobody watches', () => {
    const session = sessionOf(({ klines$ }) => {
      klines$.subscribe(() => {
        throw new Error('nobody listens')
      })
      return NEVER
    })
    expect(session.kline(1)).toEqual(['strategy failed'])
    expect(failureOf(session).message).toMatch('nobody listens')
  })

  it('is told where signals returns no Observable', () => {
    const session = sessionOf((() => 5) as never)
    session.kline(1)
    expect(failureOf(session).message).toMatch('It must return an Observable of signals, but returned 5.')
  })

  it('leaves streams that begin afresh with the next kline, and are asked again when the bot is started anew', () => {
    const seen: number[] = []
    const session = sessionOf(
      ({ klines$ }) =>
        klines$.pipe(
          map(({ close }) => {
            seen.push(close)
            if (close === 3 || close === 5) throw new Error(`${close}`)
            return close > 7 ? enterLong() : undefined
          }),
        ),
      { warmUp: () => 2 },
    )
    for (const price of [1, 2, 3, 4, 5, 6, 7, 8]) session.kline(price)
    // What stopped it was told once; whatever happens while nobody asks is not.
    expect(session.outputs.map(({ type }) => type)).toEqual(['strategyFailed'])
    session.engine.beginSession()
    expect(session.kline(9)).toEqual(['entry buy 1 market'])
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })
})

describe('a stream that completes', () => {
  it('has its last signals carried out, says so once, and leaves its orders alone', () => {
    const session = sessionOf(({ klines$ }) =>
      klines$.pipe(
        take(2),
        map(() => enterLong({ order: { type: 'limit', price: 90 }, keep: true })),
      ),
    )
    expect(session.kline(100)).toEqual(['entry buy 1 limit 90'])
    expect(session.kline(100)).toEqual(['entry buy 1 limit 90'])
    for (let kline = 0; kline < 3; kline++) expect(session.kline(100)).toEqual([])
    const ended = session.outputs.filter(({ type }) => type === 'strategyEnded')
    expect(ended).toMatchObject([
      {
        why: 'Strategy "streams" on BTC/USDT at 1970-01-01T00:02:00.000Z decides nothing more: its stream of signals has completed.',
      },
    ])
    expect(session.ledger.orders.working).toHaveLength(2)
  })
})

describe('the real clock', () => {
  it.each<readonly [string, () => Observable<unknown>, string]>([
    ['timer', () => timer(10), 'a timer of the process'],
    ['observeOn(asapScheduler)', () => of(1).pipe(observeOn(asapScheduler)), 'the next turn of the process'],
    ['timestamp', () => of(1).pipe(timestamp()), 'the clock of the process'],
  ])('is refused to %s of rxjs', (_what, make, what) => {
    const session = sessionOf(() => make().pipe(map(() => undefined)))
    session.kline(1)
    expect(failureOf(session).message).toMatch(
      `An operator of rxjs asked for ${what}, which no backtest has; give it the scheduler of market time`,
    )
  })

  it('is there again for everybody else once an event is over', () => {
    const before = [intervalProvider.delegate, dateTimestampProvider.delegate]
    const failing = sessionOf(() => timer(10).pipe(map(() => undefined)))
    failing.kline(1)
    expect([intervalProvider.delegate, dateTimestampProvider.delegate]).toEqual(before)
  })

  it('refuses what is signaled while no event is shown', () => {
    const outside$ = new Subject<ReturnType<typeof cancelEntries>>()
    const session = sessionOf(() => outside$)
    session.kline(1)
    outside$.next(cancelEntries())
    expect(session.kline(2)).toEqual(['strategy failed'])
    expect(failureOf(session).message).toMatch(
      'Its stream signaled while no event was shown, which no backtest can repeat; leave out promises and timers of the process',
    )
    expect(failureOf(session).cause).toBeInstanceOf(UsageError)
  })
})

import { concat, from, map, type Observable, of, Subject, VirtualTimeScheduler } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { cancelEntries, enterLong, exit, sma, targetPosition } from '../../src/strategy/index.ts'
import { closedKline } from '../../src/streams/closed-kline.ts'
import {
  type ClosedKline,
  combineByClose,
  crossingAbove,
  crossingBelow,
  distinctSignals,
  lastKlines,
  oncePer,
  resample,
  windowByTime,
  withIndicator,
} from '../../src/streams/index.ts'
import { MINUTE } from '../simulator/exchange-caller.ts'
import { klineAt, klinesAt } from './stream-klines.ts'

/** Everything that a stream emits at once. */
function allOf<Value>(stream$: Observable<Value>): Value[] {
  const all: Value[] = []
  stream$.subscribe(value => all.push(value))
  return all
}

/** What a stream has emitted after each of the values that go in: a row for each of them. */
function rowByRow<Value, Out>(
  values: readonly Value[],
  operate: (in$: Observable<Value>) => Observable<Out>,
) {
  const in$ = new Subject<Value>()
  let row: Out[] = []
  operate(in$).subscribe(out => row.push(out))
  return values.map(value => {
    row = []
    in$.next(value)
    return row
  })
}

const closes = (klines: readonly ClosedKline[]) => klines.map(({ close }) => close)

describe('lastKlines', () => {
  it('emits the last klines, newest last, from the first time that there are so many', () => {
    expect(rowByRow(klinesAt([1, 2, 3, 4]), in$ => in$.pipe(lastKlines(3), map(closes)))).toEqual([
      [],
      [],
      [[1, 2, 3]],
      [[2, 3, 4]],
    ])
  })

  it('keeps what it has emitted as it was', () => {
    expect(allOf(of(1, 2, 3).pipe(lastKlines(2)))).toEqual([
      [1, 2],
      [2, 3],
    ])
  })

  it.each([0, 1.5, Number.NaN])('refuses %d klines', count => {
    expect(() => lastKlines(count)).toThrow(`lastKlines was given ${count}, but needs a whole number`)
  })
})

describe('windowByTime', () => {
  it.each([
    ['a full one', [1, 2, 3, 4], [[], [], [[1, 2, 3]], [[2, 3, 4]]]],
    ['fewer klines where some are missing', [1, 2, 3, '-', 5, 6], [[], [], [[1, 2, 3]], [[3, 5]], [[5, 6]]]],
    ['only the latest after a long gap', [1, 2, '-', '-', '-', 6], [[], [], [[6]]]],
  ] as const)('emits the klines of three minutes: %s', (_what, given, expected) => {
    const windows = rowByRow(klinesAt(given), in$ => in$.pipe(windowByTime(3 * MINUTE), map(closes)))
    expect(windows).toEqual(expected)
  })

  it.each([0, -1, Number.POSITIVE_INFINITY])('refuses %d ms', ms => {
    expect(() => windowByTime(ms)).toThrow('needs a number of milliseconds above 0')
  })
})

describe('crossingAbove and crossingBelow', () => {
  // As `crossesAbove`: at or on the other side before, beyond it now.
  it.each([
    ['once, however long it stays above', [1, 3, 3, 3], 2, [3], []],
    ['from the level itself', [2, 3], 2, [3], []],
    ['not above by touching the level, but below from it', [1, 2, 1], 2, [], [1]],
    ['once where it stops at the level on its way', [1, 2, 3], 2, [3], []],
    ['again where it was back at the level', [3, 2, 3], 2, [3], []],
    ['both ways', [1, 3, 1, 3], 2, [3, 3], [1]],
    ['below from the level itself', [2, 1], 2, [], [1]],
    ['nothing where it begins beyond the level', [3, 4, 5], 2, [], []],
    ['nothing by a NaN', [1, Number.NaN, 3], 2, [], []],
  ] as const)('emit a crossing %s', (_what, values, level, above, below) => {
    const itself = (value: number) => value
    expect(allOf(from<readonly number[]>(values).pipe(crossingAbove(itself, level)))).toEqual(above)
    expect(allOf(from<readonly number[]>(values).pipe(crossingBelow(itself, level)))).toEqual(below)
  })

  it('compare two series that both move', () => {
    // 1 below 2, 3 above 2, 4 below 5, 6 at 6, 7 above 6.
    const pairs = [
      [1, 2],
      [3, 2],
      [4, 5],
      [6, 6],
      [7, 6],
    ] as const
    const [one, other] = [
      (pair: readonly number[]) => pair[0] ?? 0,
      (pair: readonly number[]) => pair[1] ?? 0,
    ]
    expect(allOf(from(pairs).pipe(crossingAbove(one, other)))).toEqual([
      [3, 2],
      [7, 6],
    ])
    expect(allOf(from(pairs).pipe(crossingBelow(one, other)))).toEqual([[4, 5]])
  })

  it('begin afresh with every subscription', () => {
    const crossings$ = of(1, 3).pipe(crossingAbove(value => value, 2))
    expect([allOf(crossings$), allOf(crossings$)]).toEqual([[3], [3]])
  })
})

describe('resample', () => {
  const fields = ({ openTime, open, high, low, close, volume, interval, closeTime }: ClosedKline) => [
    ...[openTime / MINUTE, open, high, low, close, volume],
    ...[interval, closeTime / MINUTE],
  ]

  it('emits a longer kline with the last of its parts', () => {
    const out = rowByRow(klinesAt([3, 5, 1, 4, 2, 7]), in$ => in$.pipe(resample('5m'), map(fields)))
    expect(out).toEqual([[], [], [], [], [[0, 3, 5, 1, 2, 5, '5m', 5]], []])
  })

  it.each([
    ['that the stream begins within', ['-', 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['that lacks a part inside', [1, 2, '-', 4, 5, 6, 7, 8, 9, 10]],
    ['that lacks its last part', [1, 2, 3, 4, '-', 6, 7, 8, 9, 10]],
    ['that is missing', ['-', '-', '-', '-', '-', 6, 7, 8, 9, 10]],
  ] as const)('leaves out a longer kline %s', (_what, given) => {
    const out = allOf(from(klinesAt(given)).pipe(resample('5m'), map(fields)))
    expect(out).toEqual([[5, 6, 10, 6, 10, 5, '5m', 10]])
  })

  it('makes weeks that begin on a Monday, and months of the calendar', () => {
    const days = Array.from({ length: 70 }, (_, day) => day + 1)
    const ends = (interval: '1w' | '1M') =>
      allOf(
        from(klinesAt(days, '1d')).pipe(
          resample(interval),
          map(({ close }) => close),
        ),
      )
    // 1 January 1970 was a Thursday: the first whole week ends with its 11th day.
    expect(ends('1w')).toEqual([11, 18, 25, 32, 39, 46, 53, 60, 67])
    expect(ends('1M')).toEqual([31, 31 + 28])
  })

  it('adds volumes as decimals', () => {
    const flat = { open: 1, high: 1, low: 1, close: 1 }
    const tenths = [0.1, 0.2, 0.3].map((volume, minute) =>
      closedKline({ openTime: minute * MINUTE, ...flat, volume }, '1m'),
    )
    const out = allOf(
      from(tenths).pipe(
        resample('3m'),
        map(({ volume }) => volume),
      ),
    )
    expect(out).toEqual([0.6])
  })

  it('can be done twice', () => {
    const minutes = klinesAt(Array.from({ length: 60 }, (_, minute) => minute))
    expect(allOf(from(minutes).pipe(resample('15m'), resample('1h'), map(fields)))).toEqual(
      allOf(from(minutes).pipe(resample('1h'), map(fields))),
    )
  })

  it('refuses klines that are no parts of longer ones', () => {
    const errors: unknown[] = []
    from(klinesAt([1, 2], '1w'))
      .pipe(resample('1M'))
      .subscribe({ error: error => errors.push(error) })
    expect(String(errors[0])).toMatch('Klines of 1w are no parts of klines of 1M.')
  })
})

describe('combineByClose', () => {
  /** Klines of two streams that come as `order` says: a0 is the first of the one, b2 the third of the other. */
  function combined(order: string): string[][] {
    const [a$, b$] = [new Subject<ClosedKline>(), new Subject<ClosedKline>()]
    let met: string[] = []
    combineByClose(a$, b$).subscribe(([a, b]) => met.push(`${a.close}+${b.close}`))
    return order.split(' ').map(word => {
      const index = Number(word.slice(1))
      met = []
      if (word.startsWith('a')) a$.next(klineAt(index, index))
      else b$.next(klineAt(index, 10 + index))
      return met
    })
  }

  it.each([
    ['once both have come, in either order', 'a0 b0 b1 a1', [[], ['0+10'], [], ['1+11']]],
    ['nothing for a kline that the other lacks', 'a0 a1 b1 a2 b2', [[], [], ['1+11'], [], ['2+12']]],
    ['a kline that is late', 'a0 a1 a2 b0 b1 b2', [[], [], [], ['0+10'], ['1+11'], ['2+12']]],
    ['nothing while one is silent', 'a0 a1 a2', [[], [], []]],
    ['what meets after both lacked some', 'a0 b1 a2 b3 a3', [[], [], [], [], ['3+13']]],
  ])('emits %s', (_what, order, expected) => {
    expect(combined(order)).toEqual(expected)
  })

  it('joins streams of different intervals whenever the longest closes', () => {
    const minutes = klinesAt(Array.from({ length: 12 }, (_, minute) => minute))
    const minutes$ = new Subject<ClosedKline>()
    const met: number[][] = []
    combineByClose(minutes$, minutes$.pipe(resample('5m'))).subscribe(klines => met.push(closes(klines)))
    for (const kline of minutes) minutes$.next(kline)
    expect(met).toEqual([
      [4, 4],
      [9, 9],
    ])
  })

  it('takes any number of streams', () => {
    const stream$ = from(klinesAt([1, 2]))
    expect(allOf(combineByClose(stream$, stream$, stream$).pipe(map(closes)))).toEqual([
      [1, 1, 1],
      [2, 2, 2],
    ])
  })
})

describe('oncePer', () => {
  it('lets the first value of every kline of market time pass', () => {
    const scheduler = new VirtualTimeScheduler()
    const times = [0, 59, 60, 61, 119, 125, 240].map(minute => minute * MINUTE)
    const passed = rowByRow(times, in$ =>
      in$.pipe(
        map(time => {
          scheduler.frame = time
          return time / MINUTE
        }),
        oncePer('1h', scheduler),
      ),
    )
    expect(passed).toEqual([[0], [], [60], [], [], [125], [240]])
  })
})

describe('withIndicator', () => {
  it('emits each kline with the values of the indicator, once it has one', () => {
    const values = rowByRow(klinesAt([1, 3, 5, 9]), in$ =>
      in$.pipe(
        withIndicator(() => sma(2)),
        map(({ kline, value, previous }) => [kline.close, value, previous]),
      ),
    )
    expect(values).toEqual([[], [[3, 2, Number.NaN]], [[5, 4, 2]], [[9, 7, 4]]])
  })

  it('gives each subscription an indicator of its own', () => {
    const averages$ = from(klinesAt([1, 3])).pipe(
      withIndicator(() => sma(2)),
      map(({ value }) => value),
    )
    expect([allOf(averages$), allOf(averages$)]).toEqual([[2], [2]])
  })

  it('feeds a crossing', () => {
    const crossed$ = from(klinesAt([5, 5, 9, 9, 1])).pipe(
      withIndicator(() => sma(2)),
      crossingAbove(
        ({ kline }) => kline.close,
        ({ value }) => value,
      ),
      map(({ kline }) => kline.openTime / MINUTE),
    )
    // Averages 5, 7, 9, 5: the close is at, above, at, below.
    expect(allOf(crossed$)).toEqual([2])
  })
})

describe('distinctSignals', () => {
  it('leaves out what repeats the signals before, and what says nothing', () => {
    const signals$ = concat(
      of(targetPosition({ base: 1 }), undefined, targetPosition({ base: 1 }), targetPosition({ base: 2 })),
      of(exit(), exit(), [enterLong(), cancelEntries()], [enterLong(), cancelEntries()], exit()),
    )
    expect(allOf(signals$.pipe(distinctSignals()))).toEqual([
      targetPosition({ base: 1 }),
      targetPosition({ base: 2 }),
      exit(),
      [enterLong(), cancelEntries()],
      exit(),
    ])
  })
})

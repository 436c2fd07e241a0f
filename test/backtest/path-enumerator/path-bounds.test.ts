import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EnterSignal } from '../../../src/domain/signal.ts'
import { enterLong, enterShort } from '../../../src/strategy/index.ts'
import { propertyRuns } from '../../simulator/property-runs.ts'
import { fillWords, QUIET, type Row, runScript } from '../kline-table.ts'
import {
  anyCorners,
  anyExitCase,
  anyHeldCase,
  anyPathCase,
  anyProtectedCase,
  anyRivalCase,
  anyTrailingCase,
  anyTurnCase,
  backtested,
  backtestedAlong,
  gainOf,
  type PathCase,
  resultAlong,
  resultOfOpens,
  resultsOfAllPaths,
  resultsOfPaths,
} from './path-case.ts'
import type { TickKline } from './price-path.ts'

/** Rounding error of doubles where fees are paid. */
const NOISE = 1e-6

describe('exits beside each other', () => {
  /** The exit that a long position of 100 and its mirror image at 100 make of the rows after its entry. */
  const exitsOf = (
    protection: Pick<EnterSignal, 'stopLoss' | 'takeProfit' | 'trailingStop'>,
    rows: readonly Row[],
  ) =>
    (['pessimistic', 'optimistic', 'ohlc', 'olhc'] as const).map(path => {
      const result = runScript({ 0: enterLong(protection) }, [QUIET, ...rows], { fills: { path } })
      return fillWords(result)[1]?.replace(/sell 1 at | taker| maker/g, '')
    })

  it('a take-profit comes before what a trailing stop would win beyond it', () => {
    // On every way from 100 to 120 the price goes through 105; falling first, it does not come to 97.
    const kline: Row = [100, 120, 99.5, 118]
    const [pessimistic, ...others] = exitsOf({ takeProfit: 105, trailingStop: { distance: 3 } }, [kline])
    expect(others).toEqual(['1: 105', '1: 105', '1: 105'])
    // From 102.5 down to 99.5, which is 102.5 - 3.
    expect(pessimistic).toBe('1: 99.5')
  })

  it('a trailing stop never wins more than its take-profit', () => {
    const kline: Row = [100, 120, 97.5, 98]
    for (const exit of exitsOf({ takeProfit: 105, trailingStop: { distance: 3 } }, [kline]))
      expect(Number(exit?.split(': ')[1])).toBeLessThanOrEqual(105)
  })

  it('of a stop-loss and a trailing stop the nearer one comes first', () => {
    // The high of 101 brings the trailing stop to 98; then the price falls from 109 through 98 to 90.
    const rows: Row[] = [
      [100, 109, 100, 109],
      [109, 109, 90, 91],
    ]
    expect(exitsOf({ stopLoss: 95, trailingStop: { distance: 11 } }, rows)).toEqual(Array(4).fill('2: 98'))
  })

  it('the same as seen by a short position', () => {
    const short = enterShort({ stopLoss: 105, trailingStop: { distance: 11 } })
    const rows: Row[] = [QUIET, [100, 100, 91, 91], [91, 110, 91, 109]]
    expect(fillWords(runScript({ 0: short }, rows))).toEqual([
      '1: sell 1 at 100 taker',
      '2: buy 1 at 102 taker',
    ])
  })
})

describe('an exit of a part', () => {
  /** Gains of a case by the worst path and by the best one. */
  const bounds = (given: PathCase) =>
    (['pessimistic', 'optimistic'] as const).map(path => gainOf(backtested(given, path)))
  const buy = { side: 'buy', quantity: 2 } as const
  const free = { touch: false, slippage: 0, fees: { maker: 0, taker: 0 } }

  it('leaves the stop-loss of the rest, which counts as well', () => {
    const given: PathCase = {
      before: 100,
      klines: [{ open: 100, high: 106, low: 84, close: 84 }],
      entries: [
        { ...buy, order: { type: 'market' }, stopLoss: 95, takeProfit: [{ price: 105, quantity: 1 }] },
      ],
      rules: free,
    }
    // Both stopped; or one taken, and one stopped.
    expect(bounds(given)).toEqual([2 * (95 - 100), 105 - 100 + (95 - 100)])
  })
})

it('a trailing stop behind by a part of the price comes as far as leaves an entry alone', () => {
  const given: PathCase = {
    before: 100,
    klines: [{ open: 96, high: 103, low: 94, close: 94 }],
    entries: [
      { side: 'buy', quantity: 2, order: { type: 'market' }, trailing: [{ percent: 5 }] },
      {
        ...{ side: 'buy', quantity: 2, order: { type: 'ifTouched', triggerPrice: 95 } },
        takeProfit: [{ price: 97, quantity: 2 }],
      },
    ],
    rules: { touch: false, slippage: 0, fees: { maker: 0, taker: 0 } },
  }
  // Up to 102, where the stop is at 96 (96.9); down to that, up to 103, and down to 94 by the entry at 95, which gains nothing any more.
  expect(gainOf(backtested(given, 'pessimistic'))).toBe(2 * (96 - 96) + 2 * (94 - 95))
})

describe('an exit of its own', () => {
  const free = { touch: false, slippage: 0, fees: { maker: 0, taker: 0 } }
  const flat = (price: number) => ({ open: price, high: price, low: price, close: price })
  const paths = ['pessimistic', 'optimistic', 'ohlc', 'olhc'] as const
  const gains = (given: PathCase) => paths.map(path => gainOf(backtested(given, path)))

  it('trades on the worst path also where a take-profit would close all', () => {
    const given: PathCase = {
      before: 100,
      klines: [flat(94), { open: 101, high: 103, low: 94, close: 94 }],
      entries: [
        {
          ...{ side: 'buy', quantity: 2, order: { type: 'market' } },
          takeProfit: [{ price: 102, quantity: 2 }],
        },
      ],
      exit: { order: { type: 'stop', stopPrice: 100 }, fraction: 0.5 },
      rules: free,
    }
    // Down first: one at 100, and the other at 102. Up first: both at 102.
    const [down, up] = [100 - 94 + (102 - 94), 2 * (102 - 94)]
    expect(gains(given)).toEqual([down, up, up, down])
    expect(backtested(given, 'optimistic').ambiguousRoundTrips).toHaveLength(1)
  })

  it.each(['ioc', 'fok'] as const)(
    'that may only take (%s), and finds a stop before it at the open, takes what is left',
    only => {
      const given: PathCase = {
        before: 100,
        klines: [flat(95), flat(94)],
        entries: [
          { side: 'buy', quantity: 2, order: { type: 'market' } },
          { side: 'buy', quantity: 2, order: { type: 'market' }, stopLoss: 94 },
        ],
        exit: { order: { type: 'limit', price: 93, only }, fraction: 1 },
        rules: free,
      }
      const result = backtested(given, 'pessimistic')
      expect([gainOf(result), result.openPositions.some(Boolean)]).toEqual([4 * (94 - 95), false])
    },
  )

  it('that has shrunk to what is held trades on the same kline', () => {
    const given: PathCase = {
      before: 100,
      klines: [flat(100), { open: 100, high: 104, low: 96, close: 96 }],
      entries: [
        {
          ...{ side: 'buy', quantity: 2, order: { type: 'market' } },
          takeProfit: [{ price: 103, quantity: 1 }],
        },
      ],
      exit: { order: { type: 'stop', stopPrice: 97 }, fraction: 1 },
      rules: free,
    }
    // Down first: both at 97. Up first: one at 103, and the other, of an order for both, at 97.
    const [down, up] = [2 * (97 - 100), 103 - 100 + (97 - 100)]
    expect(gains(given)).toEqual([down, up, up, down])
  })
})

it('every path of a kline is looked at, however many were looked at on klines before', () => {
  const count = 5500
  const bracket = enterLong({ stopLoss: 95, takeProfit: 105, size: { base: 0.1 } })
  const rows = Array.from({ length: count }, (): Row[] => [QUIET, [100, 106, 94, 100]]).flat()
  const script = Object.fromEntries(Array.from({ length: count }, (_, index) => [2 * index, bracket]))
  const { equity } = runScript(script, rows, { fills: { path: 'optimistic' } })
  expect((equity.at(-1) ?? Number.NaN) - 10_000).toBeCloseTo(count * 0.1 * (105 - 100), 6)
})

it('all of very many orders of exits are looked at where they meet again', () => {
  // Of 14 positions of 0.1, the one with the nearest stop-loss (5 below its entry) has the farthest take-profit (18 above it), and so on.
  const brackets = Array.from({ length: 14 }, (_, index) =>
    enterLong({ stopLoss: 95 - index, takeProfit: 118 - index, scaleIn: true, size: { base: 0.1 } }),
  )
  const gainBy = (path: 'pessimistic' | 'optimistic') =>
    (runScript({ 0: brackets }, [QUIET, [100, 120, 80, 100]], { fills: { path } }).equity.at(-1) ?? 0) -
    10_000
  // 0.1 × (5 + 6 + … + 18) = 0.1 × 161
  expect(gainBy('pessimistic')).toBeCloseTo(-16.1, 6)
  expect(gainBy('optimistic')).toBeCloseTo(16.1, 6)
})

it('a round trip that is stopped where its entry may not have traded at all is ambiguous', () => {
  // Up to 101 and back: the limit of 98 trades below it, at 97, where the stop-loss is. Down to 94 first: it never trades.
  const given: PathCase = {
    before: 100,
    klines: [{ open: 98, high: 101, low: 94, close: 98 }],
    entries: [
      {
        ...{ side: 'buy', quantity: 2, stopLoss: 97 },
        order: { type: 'stopLimit', stopPrice: 101, price: 98 },
      },
    ],
    rules: { touch: false, slippage: 0, fees: { maker: 0, taker: 0 } },
  }
  expect(backtested(given, 'pessimistic').ambiguousRoundTrips).toHaveLength(1)
  expect([gainOf(backtested(given, 'pessimistic')), gainOf(backtested(given, 'optimistic'))]).toEqual([-2, 0])
})

describe('a kline whose volume is short', () => {
  it('trades the limits that the price has passed before a stop where it is', () => {
    // Sold 2 at 100, both bought back below 98; of the volume one unit is left for the stop at 97.
    const given: PathCase = {
      before: 100,
      klines: [{ open: 100, high: 100, low: 94, close: 94 }],
      entries: [
        {
          ...{ side: 'sell', quantity: 2, order: { type: 'market' } },
          takeProfit: [
            { price: 98, quantity: 1 },
            { price: 98, quantity: 1 },
          ],
        },
        { side: 'sell', quantity: 2, order: { type: 'stopLimit', stopPrice: 97, price: 97 } },
      ],
      rules: { touch: false, slippage: 0, fees: { maker: 0, taker: 0 }, volume: 5 },
    }
    for (const path of ['pessimistic', 'optimistic', 'ohlc', 'olhc'] as const)
      expect(gainOf(backtested(given, path))).toBe(2 * (100 - 98) + (97 - 94))
  })

  it.each([1, -1])(
    'goes to a stop that has trailed right to a limit, or to that limit first: side %d',
    sign => {
      const at = (offset: number) => 100 + sign * offset
      const side = sign === 1 ? 'buy' : 'sell'
      const given: PathCase = {
        before: 100,
        klines: [{ open: 100, high: Math.max(at(4), at(-10)), low: Math.min(at(4), at(-10)), close: at(3) }],
        entries: [
          { side, quantity: 1, order: { type: 'market' }, trailing: [{ distance: 4 }] },
          { side, quantity: 1, order: { type: 'limit', price: at(-2) } },
        ],
        rules: { touch: false, slippage: 0, fees: { maker: 0, taker: 0 }, volume: 2 },
      }
      // By a rise of 2 the stop comes to where the limit is, 2 below the entry, and takes what is left of the volume.
      expect(gainOf(backtested(given, 'pessimistic'))).toBe(-2)
      // The limit trades before the price has risen: both gain by the close.
      expect(gainOf(backtested(given, 'optimistic'))).toBe(3 + 5)
    },
  )
})

describe('by the count of all paths inside a kline', () => {
  it(
    'pessimistic is the worst of them, and optimistic is the best',
    () => {
      const { numRuns, timeout } = propertyRuns(500)
      let [compared, differing] = [0, 0]
      fc.assert(
        fc.property(anyPathCase, given => {
          const results = resultsOfPaths(given)
          if (results === undefined) return
          const [worst, best] = [Math.min(...results), Math.max(...results)]
          expect(Math.abs(gainOf(backtested(given, 'pessimistic')) - worst)).toBeLessThan(NOISE)
          expect(Math.abs(gainOf(backtested(given, 'optimistic')) - best)).toBeLessThan(NOISE)
          compared++
          if (worst < best) differing++
        }),
        { numRuns },
      )
      expect(differing).toBeGreaterThan(0.1 * numRuns)
      if (process.env.SLUICE_RUNS !== undefined)
        console.log(
          `${compared} sets of orders on klines by all paths, of which ${differing} depend on the path: 0 violations.`,
        )
      return timeout
    },
    propertyRuns(500).timeout,
  )

  const ANY_VOLUME = fc.constantFrom(1, 2, 3, 5)
  const anyShort = fc
    .tuple(anyPathCase, ANY_VOLUME)
    .map(([given, volume]) => ({ ...given, rules: { ...given.rules, volume } }))
  const anyPaidInBase = anyRivalCase.map(given => ({
    ...given,
    rules: { ...given.rules, fees: { maker: 0.1, taker: 0.3, paidIn: 'received' as const } },
  }))
  it.each([
    ['the volume of the kline is short', anyShort],
    ['entries beside each other have exits of their own', anyProtectedCase],
    ['fees are taken from what is bought', anyPaidInBase],
  ])('pessimistic and optimistic are that also where %s', (_where, anyCase) => {
    let differing = 0
    fc.assert(
      fc.property(anyCase, drawn => {
        const given = { ...drawn, klines: drawn.klines.slice(0, 1) }
        const results = resultsOfPaths(given) ?? []
        const [worst, best] = [Math.min(...results), Math.max(...results)]
        expect(Math.abs(gainOf(backtested(given, 'pessimistic')) - worst)).toBeLessThan(NOISE)
        expect(Math.abs(gainOf(backtested(given, 'optimistic')) - best)).toBeLessThan(NOISE)
        if (worst < best) differing++
      }),
      propertyRuns(300),
    )
    expect(differing).toBeGreaterThan(2)
  })

  it.each([
    ['an exit rests by itself', anyExitCase],
    ['an entry closes what is held', anyTurnCase],
  ])('pessimistic and optimistic are that also where %s', (_where, anyCase) => {
    let differing = 0
    fc.assert(
      fc.property(anyCase, given => {
        const results = resultsOfPaths(given)
        if (results === undefined) return
        const [worst, best] = [Math.min(...results), Math.max(...results)]
        expect(Math.abs(gainOf(backtested(given, 'pessimistic')) - worst)).toBeLessThan(NOISE)
        expect(Math.abs(gainOf(backtested(given, 'optimistic')) - best)).toBeLessThan(NOISE)
        if (worst < best) differing++
      }),
      propertyRuns(500),
    )
    expect(differing).toBeGreaterThan(5)
  })

  it('a round trip that is not counted as ambiguous ends the same by all of them', () => {
    let certain = 0
    fc.assert(
      fc.property(anyPathCase, ({ entries, ...given }) => {
        const lone = { ...given, entries: entries.slice(0, 1) }
        const results = resultsOfPaths(lone)
        const result = backtested(lone, 'pessimistic')
        if (results === undefined || result.roundTrips.length === 0) return
        if (result.ambiguousRoundTrips.length > 0 || result.openPositions.some(Boolean)) return
        certain++
        expect(Math.max(...results) - Math.min(...results)).toBeLessThan(NOISE)
      }),
      propertyRuns(300),
    )
    expect(certain).toBeGreaterThan(20)
  })

  it('nor does what an exit beside protection closes, or leaves open, where none is counted as ambiguous', () => {
    const anyBeside = fc.oneof(anyExitCase, anyHeldCase)
    const anyBack = anyBeside.filter(({ exit }) => exit?.order.type === 'stopLimit')
    let certain = 0
    fc.assert(
      fc.property(fc.oneof(anyBeside, anyBack), ({ entries, ...given }) => {
        const lone = { ...given, entries: entries.slice(0, 1) }
        const results = resultsOfPaths(lone)
        const result = backtested(lone, 'pessimistic')
        if (results === undefined || result.roundTrips.length === 0) return
        if (result.ambiguousRoundTrips.length > 0 || result.ambiguousOpenPositions.length > 0) return
        certain++
        expect(Math.max(...results) - Math.min(...results)).toBeLessThan(NOISE)
      }),
      propertyRuns(1000),
    )
    expect(certain).toBeGreaterThan(100)
  })

  it('nor does one that lasts for several klines and is not counted as ambiguous depend on any of them', () => {
    let certain = 0
    fc.assert(
      fc.property(anyTrailingCase, given => {
        const result = backtested(given, 'pessimistic')
        if (result.roundTrips.length === 0 || result.ambiguousRoundTrips.length > 0) return
        if (result.openPositions.some(Boolean)) return
        certain++
        const results = resultsOfAllPaths(given)
        expect(Math.max(...results) - Math.min(...results)).toBeLessThan(NOISE)
      }),
      propertyRuns(2000),
    )
    expect(certain).toBeGreaterThan(80)
  })

  it.each([
    ['ohlc', ({ open, high, low, close }: TickKline) => [open, high, low, close]],
    ['olhc', ({ open, high, low, close }: TickKline) => [open, low, high, close]],
  ] as const)('%s is exactly its path', (path, cornersOf) => {
    fc.assert(
      fc.property(fc.oneof(anyPathCase, anyExitCase, anyTurnCase), given => {
        const difference = gainOf(backtested(given, path)) - resultAlong(given, cornersOf)
        expect(Math.abs(difference)).toBeLessThan(NOISE)
      }),
      propertyRuns(300),
    )
  })

  it('finer klines that tell the path give exactly its result', () => {
    const anyWay = anyPathCase
      .map(given => ({ ...given, klines: given.klines.slice(0, 1) }))
      .chain(given => anyCorners(given.klines[0] as TickKline).map(corners => ({ given, corners })))
    fc.assert(
      fc.property(anyWay, ({ given, corners }) => {
        const difference = gainOf(backtestedAlong(given, corners)) - resultOfOpens(given, corners)
        expect(Math.abs(difference)).toBeLessThan(NOISE)
      }),
      propertyRuns(300),
    )
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FillSettings } from '../../../backtest/models/fill-settings.ts'
import type { OrderWish, Protection } from '../../../src/domain/signal.ts'
import { enterLong, enterShort, exit } from '../../../src/strategy/index.ts'
import { propertyRuns } from '../../simulator/property-runs.ts'
import { CONTRACT, contractFills } from '../futures/contract-run.ts'
import { fillWords, klinesOf, QUIET, type Row, runScript } from '../kline-table.ts'
import type { NaiveEntry } from '../path-enumerator/naive-trader.ts'
import {
  anyHeldCase,
  backtested,
  gainOf,
  type PathCase,
  resultsOfPaths,
} from '../path-enumerator/path-case.ts'
import type { TickKline } from '../path-enumerator/price-path.ts'

// By rules that do not look at the path, of several orders on one way of the price the nearest counts: none gets to 94 without passing 98.

const MARKET_ENTRIES: Partial<FillSettings> = { entryKlineProtection: 'marketEntries' }
const STOPS_FIRST: Partial<FillSettings> = { stopLossFirst: 'always' }

/** Prices as a long position from 100 sees them; a short one sees their mirror image. */
type At = (offset: number) => number

interface Case {
  readonly name: string
  readonly protection?: (at: At) => Protection
  /** Exits of their own. */
  readonly exits?: (at: At) => readonly OrderWish[]
  /** The kline after the entry: offsets of open, high, low and close. */
  readonly kline: Row
  readonly expected: readonly string[]
}

const DOWN: Row = [0, 0, -10, -8]
const UP: Row = [0, 12, 0, 8]
const BOTH_WAYS: Row = [0, 10, -1, 0]

const CASES: readonly Case[] = [
  {
    name: 'a trailing stop before a stop-loss',
    protection: at => ({ stopLoss: at(-6), trailingStop: { distance: 2 } }),
    kline: DOWN,
    expected: ['2 at -2'],
  },
  {
    name: 'a stop-loss before a trailing stop',
    protection: at => ({ stopLoss: at(-2), trailingStop: { distance: 6 } }),
    kline: DOWN,
    expected: ['2 at -2'],
  },
  {
    name: 'of two trailing stops the nearer one',
    protection: () => ({ trailingStop: [{ distance: 6 }, { distance: 3 }] }),
    kline: DOWN,
    expected: ['2 at -3'],
  },
  {
    name: 'an exit at a stop before the stop-loss',
    protection: at => ({ stopLoss: at(-6) }),
    exits: at => [{ type: 'stop', stopPrice: at(-3) }],
    kline: DOWN,
    expected: ['2 at -3'],
  },
  {
    name: 'a stop-limit exit that trades at its stop price before the stop-loss',
    protection: at => ({ stopLoss: at(-6) }),
    exits: at => [{ type: 'stopLimit', stopPrice: at(-3), price: at(-4) }],
    kline: DOWN,
    expected: ['2 at -3'],
  },
  {
    name: 'but the stop-loss before a stop-limit exit that waits for the price to come back',
    protection: at => ({ stopLoss: at(-6) }),
    exits: at => [{ type: 'stopLimit', stopPrice: at(-3), price: at(-2) }],
    kline: [0, 0, -10, -1],
    expected: ['2 at -6'],
  },
  {
    name: 'the take-profit before an exit at a farther limit',
    protection: at => ({ takeProfit: at(5) }),
    exits: at => [{ type: 'limit', price: at(10) }],
    kline: UP,
    expected: ['2 at 5'],
  },
  {
    name: 'an exit at a limit before the farther take-profit',
    protection: at => ({ takeProfit: at(10) }),
    exits: at => [{ type: 'limit', price: at(5) }],
    kline: UP,
    expected: ['2 at 5'],
  },
  {
    name: 'the take-profit before an exit that trades if touched farther out',
    protection: at => ({ takeProfit: at(5) }),
    exits: at => [{ type: 'ifTouched', triggerPrice: at(8) }],
    kline: UP,
    expected: ['2 at 5'],
  },
  {
    name: 'parts of a take-profit as the price meets them',
    protection: at => ({
      takeProfit: [
        { at: at(8), fraction: 0.5 },
        { at: at(5), fraction: 0.5 },
      ],
    }),
    kline: UP,
    expected: ['1 at 5', '1 at 8'],
  },
  {
    name: 'the take-profit before a trailing stop that the kline itself moves beyond it',
    protection: at => ({ takeProfit: at(5), trailingStop: { distance: 3 } }),
    kline: BOTH_WAYS,
    expected: ['2 at 5'],
  },
  {
    name: 'the take-profit that the price passes on its way to where it moves a trailing stop',
    protection: at => ({ takeProfit: at(5), trailingStop: { distance: 8 } }),
    kline: BOTH_WAYS,
    expected: ['2 at 5'],
  },
  {
    name: 'a part at its take-profit before such a trailing stop, and the rest at that',
    protection: at => ({ takeProfit: [{ at: at(5), fraction: 0.5 }], trailingStop: { distance: 3 } }),
    kline: BOTH_WAYS,
    expected: ['1 at 5', '1 at 7'],
  },
  {
    // 4 - 3 = 1 from the open on.
    name: 'a trailing stop that the open has moved before the stop-loss',
    protection: at => ({ stopLoss: at(-1), trailingStop: { distance: 3 } }),
    kline: [4, 4, -2, -1],
    expected: ['2 at 1'],
  },
  {
    name: 'the stop-loss before a trailing stop that has to be moved first',
    protection: at => ({ stopLoss: at(-1), trailingStop: { distance: 3 } }),
    kline: BOTH_WAYS,
    expected: ['2 at -1'],
  },
  {
    name: 'stop-losses before take-profits, each way the nearest',
    protection: at => ({ stopLoss: at(-6), takeProfit: at(5), trailingStop: { distance: 4 } }),
    kline: [0, 8, -10, 0],
    expected: ['2 at -4'],
  },
]

describe.each([STOPS_FIRST, MARKET_ENTRIES])('with %j', fills => {
  describe.each([1, -1] as const)('and a position of the side %d', sign => {
    const at = (offset: number) => 100 + sign * offset

    it.each(CASES)('trades $name', ({ protection, exits, kline, expected }) => {
      const [open, high, low, close] = kline
      const prices = [open, high, low, close].map(at)
      const row = [at(open), Math.max(...prices), Math.min(...prices), at(close)] as const
      const enter = sign === 1 ? enterLong : enterShort
      const script = {
        0: enter({ size: { base: 2 }, ...protection?.(at) }),
        ...(exits !== undefined && { 1: exits(at).map(order => exit({ order })) }),
      }
      const words = fillWords(runScript(script, [QUIET, QUIET, row], { fills })).slice(1)
      const seen = words.map(fill => {
        const [, quantity, price] = /(?:sell|buy) (\S+) at (\S+)/.exec(fill) ?? []
        return `${quantity} at ${sign * (Number(price) - 100)}`
      })
      expect(seen).toEqual(expected)
    })
  })

  it('an exit at a stop trades before the liquidation that lies beyond it', () => {
    const script = { 0: enterLong(), 1: exit({ order: { type: 'stop', stopPrice: 97 } }) }
    const result = runScript(script, [QUIET, QUIET, [100, 100, 84, 95]], { instrument: CONTRACT, fills })
    expect(contractFills(result)).toEqual(['1: buy 1 at 100', '2: sell 1 at 97'])
  })

  const limit = (price: number) => enterLong({ order: { type: 'limit', price }, oco: 'one' })
  const stop = (stopPrice: number) => enterLong({ order: { type: 'stop', stopPrice }, oco: 'one' })

  it.each([
    ['bids', [limit(95), limit(98)], [100, 100, 94, 90], 98],
    [
      'bids, of which the farther is the larger',
      [{ ...limit(95), size: { base: 9 } }, limit(98)],
      [100, 100, 90, 90],
      98,
    ],
    ['stops', [stop(105), stop(102)], [100, 106, 100, 101], 102],
    // At 105 a loss of 4, at 98 a gain of 3.
    ['either way', [stop(105), stop(108), limit(98)], [100, 109, 97, 101], 105],
  ] as const)(
    'of a group of entries only the nearest of each way can trade: %s',
    (_name, entries, row, price) => {
      const words = fillWords(runScript({ 0: entries }, [QUIET, row], { fills }))
      expect(words.map(fill => Number(/at (\d+)/.exec(fill)?.[1]))).toEqual([price])
    },
  )

  it('entries take what volume there is as the price meets them', () => {
    const bids = [95, 98].map(price => enterLong({ order: { type: 'limit', price }, scaleIn: true }))
    const klines = { ...klinesOf([QUIET, [100, 100, 94, 96]]), volume: Float64Array.of(9, 1) }
    const result = runScript({ 0: bids }, [], { klines, fills: { ...fills, maxVolumeShare: 1 } })
    expect(fillWords(result)).toEqual(['1: buy 1 at 98 maker'])
  })
})

describe('of a group of one entry on each side of the open', () => {
  const anyPath = fc.integer({ min: 94, max: 106 })
  const anyKline = fc.tuple(anyPath, anyPath, anyPath).map((prices): TickKline => {
    const [close] = prices
    return { open: 100, high: Math.max(100, ...prices), low: Math.min(100, ...prices), close }
  })
  const anyProtection = fc.record({
    stopLoss: fc.option(fc.integer({ min: 1, max: 6 })),
    targets: fc.constantFrom<readonly number[]>([], [1], [3], [1, 2], [2, 5]),
    trailing: fc.option(fc.integer({ min: 1, max: 6 })),
  })
  /** An entry that waits above or below the open. */
  const anyEntry = (isAbove: boolean) =>
    fc
      .record({
        type: fc.constantFrom('limit', 'stop', 'ifTouched', 'stopLimit'),
        offset: fc.integer({ min: 1, max: 5 }),
        quantity: fc.constantFrom(2, 4),
        protection: anyProtection,
      } as const)
      .map(({ type, offset, quantity, protection }): NaiveEntry => {
        const level = 100 + (isAbove ? offset : -offset)
        const isStop = type === 'stop' || type === 'stopLimit'
        const side = isStop === isAbove ? 'buy' : 'sell'
        const sign = side === 'buy' ? 1 : -1
        const orders = {
          limit: { type: 'limit', price: level },
          stop: { type: 'stop', stopPrice: level },
          ifTouched: { type: 'ifTouched', triggerPrice: level },
          stopLimit: { type: 'stopLimit', stopPrice: level, price: level + sign },
        } as const
        const { stopLoss, targets, trailing } = protection
        return {
          ...{ side, quantity, oco: true, order: orders[type] },
          stopLoss: stopLoss === null ? undefined : level - sign * stopLoss,
          takeProfit:
            targets.length === 0
              ? undefined
              : targets.map(at => ({ price: level + sign * at, quantity: quantity / targets.length })),
          trailing: trailing === null ? undefined : [{ distance: trailing }],
        }
      })

  it.each([STOPS_FIRST, MARKET_ENTRIES, { stopLimit: 'atStopPrice' } as const])(
    'that trades which makes less alone by the close, its protection included, with %j',
    fills => {
      let differing = 0
      fc.assert(
        fc.property(
          fc.tuple(anyEntry(true), anyEntry(false)),
          anyKline,
          fc.boolean(),
          fc.constantFrom({ maker: 0, taker: 0 }, { maker: 0.01, taker: 0.02 }),
          fc.constantFrom(0, 1),
          (entries, kline, touch, fees, slippage) => {
            const rules = { touch, slippage, fees }
            const given: PathCase = { before: 100, klines: [kline], entries, rules }
            const alone = entries
              .map(entry => backtested({ ...given, entries: [entry] }, 'pessimistic', fills))
              .filter(result => result.fills.length > 0)
              .map(gainOf)
            const expected = Math.min(...alone, ...(alone.length === 0 ? [0] : []))
            for (const order of [entries, entries.toReversed()]) {
              const together = gainOf(backtested({ ...given, entries: order }, 'pessimistic', fills))
              expect(Math.abs(together - expected)).toBeLessThan(NOISE)
            }
            if (new Set(alone).size > 1) differing++
          },
        ),
        propertyRuns(500),
      )
      expect(differing).toBeGreaterThan(100)
    },
  )
})

describe('by the count of all paths, exits of what is held', () => {
  const compared = (
    anyCase: fc.Arbitrary<PathCase>,
    expectOf: (gain: number, results: readonly number[]) => void,
  ) => {
    let exited = 0
    fc.assert(
      fc.property(anyCase, given => {
        const results = resultsOfPaths(given)
        if (results === undefined) return
        const result = backtested(given, 'pessimistic', MARKET_ENTRIES)
        expectOf(gainOf(result), results)
        if (result.roundTrips.length > 1) exited++
      }),
      propertyRuns(500),
    )
    expect(exited).toBeGreaterThan(50)
  }
  const anyFixed = anyHeldCase
    .filter(({ exit, entries }) => !comesBack(exit, entries))
    .map(given => ({
      ...given,
      entries: given.entries.map(entry => ({ ...entry, trailing: undefined })),
    }))

  it('give the result of one of them', () => {
    compared(anyFixed, (gain, results) =>
      expect(Math.min(...results.map(one => Math.abs(one - gain)))).toBeLessThan(NOISE),
    )
  })

  it('make no more than the best of them where stops trail', () => {
    compared(anyHeldCase, (gain, results) => expect(gain).toBeLessThan(Math.max(...results) + NOISE))
  })
})

/** True for an exit that these rules leave unfilled on some klines that every path fills it on: its limit has to be come back to. */
function comesBack(exit: PathCase['exit'], [entry]: PathCase['entries']): boolean {
  if (exit?.order.type !== 'stopLimit') return false
  const { stopPrice, price } = exit.order
  return entry?.side === 'buy' ? price > stopPrice : price < stopPrice
}

/** Rounding error of doubles where fees are paid. */
const NOISE = 1e-6

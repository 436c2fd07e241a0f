import { describe, expect, it } from 'vitest'
import type { EnterSignal } from '../../../src/domain/signal.ts'
import { enterLong, enterShort } from '../../../src/strategy/index.ts'
import { exitReasons, fillWords, QUIET, type Row, runScript } from '../kline-table.ts'

const trailingStop = { distance: 4 }

/** Row, price of the exit, for an entry at the open of row 1. */
function exitOf(
  signal: ReturnType<typeof enterLong>,
  rows: readonly Row[],
  slippageRate = 0,
): string | undefined {
  const result = runScript({ 0: signal }, [QUIET, ...rows], { fills: { slippageRate } })
  expect(exitReasons(result).every(reason => reason === 'trailingStop')).toBe(true)
  return fillWords(result)[1]?.replace(/(buy|sell) 1 at /, '')
}

describe('a trailing stop', () => {
  const longs: readonly (readonly [string, readonly Row[], string | undefined])[] = [
    ['stops at its distance below the entry', [[100, 101, 96, 99]], '1: 96 taker'],
    // The price may go up to 102 and back to the low of 98, which is 102 - 4.
    ['stops where the price may have turned after the least rise', [[100, 103, 98, 99]], '1: 98 taker'],
    ['stays while the low is above the followed level', [[100, 103, 99.01, 102]], undefined],
    // 103 - 4 = 99 from the first kline; 102 - 4 is lower.
    [
      'keeps the level of an earlier high',
      [
        [100, 103, 99.5, 102],
        [102, 102, 99, 100],
      ],
      '2: 99 taker',
    ],
    // 104 - 4 = 100
    [
      'follows from kline to kline',
      [
        [100, 103, 99.5, 102],
        [102, 104, 100.5, 103],
        [103, 103, 99, 100],
      ],
      '3: 100 taker',
    ],
    [
      'trades at the open that gapped below it',
      [
        [100, 103, 99.5, 102],
        [98, 99, 97, 98],
      ],
      '2: 98 taker',
    ],
  ]
  it.each(longs)('of a long %s', (_name, rows, expected) => {
    expect(exitOf(enterLong({ trailingStop }), rows)).toBe(expected)
    // The mirror image at 100 is a short.
    const mirrored = rows.map(
      ([open, high, low, close]): Row => [200 - open, 200 - low, 200 - high, 200 - close],
    )
    const mirroredExit = expected?.replace(/(?<=: )\S+/, price => `${200 - Number(price)}`)
    expect(exitOf(enterShort({ trailingStop }), mirrored)).toBe(mirroredExit)
  })

  it('pays slippage', () => {
    // Entry 100 × 1.001 = 100.1, level 96.1; 96.1 × 0.999 = 96.0039
    expect(exitOf(enterLong({ trailingStop }), [[100, 100, 96, 99]], 0.001)).toBe('1: 96 taker')
  })

  it('by fraction keeps the distance of its entry price', () => {
    // 100 × 0.04 = 4, then 120 - 4 = 116
    const rows: readonly Row[] = [
      [100, 120, 117, 119],
      [119, 119, 116, 117],
    ]
    expect(exitOf(enterLong({ trailingStop: { fraction: 0.04 } }), rows)).toBe('2: 116 taker')
  })
})

describe('a trailing stop of an entry inside a kline', () => {
  const bid = enterLong({ order: { type: 'limit', price: 98 }, trailingStop })
  const table: readonly (readonly [string, readonly Row[], string | undefined])[] = [
    ['stays where no rise on it brings the stop to its low', [[100, 101.4, 97.5, 99]], undefined],
    // From 98 up to 101 and back to the low of 97.
    [
      'stops at the low of that kline, where the rise before it allows that',
      [[100, 103, 97, 99]],
      '1: 97 taker',
    ],
    ['stops at its distance below the entry', [[100, 103, 93, 99]], '1: 94 taker'],
    // The high may have come before the entry, so that the best price is the close of 99.
    [
      'follows the close of that kline',
      [
        [100, 101.4, 97.5, 99],
        [99, 99, 95, 96],
      ],
      '2: 95 taker',
    ],
    [
      'stays above the level of that close',
      [
        [100, 101.4, 97.5, 99],
        [99, 99, 95.01, 96],
      ],
      undefined,
    ],
  ]
  it.each(table)('%s', (_name, rows, expected) => {
    expect(exitOf(bid, rows)).toBe(expected)
  })
})

it('counts as a stop-loss where stop-losses come before a take-profit that the open has passed', () => {
  const signal = enterLong({ trailingStop, takeProfit: 105 })
  const rows: Row[] = [QUIET, [100, 101, 99, 100], [106, 107, 90, 100]]
  const exitWith = (stopLossFirst: 'always' | 'unlessOpenPassedTakeProfit') =>
    exitReasons(runScript({ 0: signal }, rows, { fills: { stopLossFirst } }))
  expect(exitWith('always')).toEqual(['trailingStop'])
  expect(exitWith('unlessOpenPassedTakeProfit')).toEqual(['takeProfit'])
})

describe('a trailing stop by rules that do not look at the path', () => {
  const pathless = { stopLossFirst: 'always' } as const
  const late = { distance: 4, activation: 105 }
  const table: readonly (readonly [string, EnterSignal, Row, string | undefined])[] = [
    // 100 - 4 = 96, before the price rose.
    [
      'stops where it began, if the kline falls so far',
      enterLong({ trailingStop }),
      [100, 103, 96, 102],
      '96',
    ],
    // 108 - 4 = 104
    ['else stops below the high of the kline', enterLong({ trailingStop }), [100, 108, 97, 105], '104'],
    [
      'stays where the kline never falls so far',
      enterLong({ trailingStop }),
      [100, 101, 97.01, 101],
      undefined,
    ],
    [
      'does not exist before its activation',
      enterLong({ trailingStop: late }),
      [100, 104.99, 80, 90],
      undefined,
    ],
    // 105 - 4 = 101
    ['may stop as soon as it exists', enterLong({ trailingStop: late }), [100, 108, 101, 105], '101'],
    ['else stops below that high as well', enterLong({ trailingStop: late }), [100, 108, 101.01, 105], '104'],
    // Of the entry at 98: 98 - 4 = 94; what of the rise came after it is not known.
    [
      'does not follow the kline of an entry inside it',
      enterLong({ order: { type: 'limit', price: 98 }, trailingStop }),
      [100, 108, 97, 105],
      undefined,
    ],
  ]
  it.each(table)('%s', (_name, signal, row, expected) => {
    const exits = fillWords(runScript({ 0: signal }, [QUIET, row], { fills: pathless })).slice(1)
    expect(exits).toEqual(expected === undefined ? [] : [`1: sell 1 at ${expected} taker`])
  })
})

describe('a trailing stop by a fraction of the entry price', () => {
  // 1.5% of 100.01 are 1.50015: the grid has 1.51 next to it on the far side, so that the stop is at 98.5.
  it.each([
    ['is never nearer than asked', 100.01, 98.51, undefined],
    ['trades a tick farther', 100.01, 98.5, '98.5'],
    ['keeps a distance that is on the grid', 100, 98.5, '98.5'],
  ] as const)('%s', (_name, open, low, price) => {
    const signal = enterLong({ trailingStop: { fraction: 0.015 } })
    const exits = fillWords(runScript({ 0: signal }, [QUIET, [open, open, low, 99]])).slice(1)
    expect(exits).toEqual(price === undefined ? [] : [`1: sell 1 at ${price} taker`])
  })
})

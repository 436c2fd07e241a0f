import { describe, expect, it } from 'vitest'
import type { PathPolicy } from '../../../backtest/models/fill-settings.ts'
import type { EnterSignal } from '../../../src/domain/signal.ts'
import { defineStrategy, enterLong, enterShort } from '../../../src/strategy/index.ts'
import { exitReasons, fillWords, QUIET, type Row, run, runScript } from '../kline-table.ts'

/** Row and price of the exit, for an entry at the open of row 1, at 100. */
function exitOf(signal: EnterSignal, rows: readonly Row[], path: PathPolicy = 'pessimistic') {
  const result = runScript({ 0: signal }, [QUIET, ...rows], { fills: { path } })
  expect(exitReasons(result).every(reason => reason === 'trailingStop')).toBe(true)
  return fillWords(result)[1]
    ?.replace(/(buy|sell) 1 at /, '')
    .replace(' taker', '')
}

function mirrored([open, high, low, close]: Row): Row {
  return [200 - open, 200 - low, 200 - high, 200 - close]
}

const PATHS = ['pessimistic', 'optimistic', 'ohlc', 'olhc'] as const

/** 4 behind the best price, once that has been 5 better than the entry. */
const LATE = { distance: 4, activation: { fraction: 0.05 } }

describe('a trailing stop with an activation', () => {
  type Case = readonly [string, readonly Row[], readonly (string | undefined)[]]
  const everywhere = (exit: string | undefined) => PATHS.map(() => exit)
  const table: readonly Case[] = [
    ['does not exist before that price', [[100, 104.99, 80, 95]], everywhere(undefined)],
    [
      'stays when the price comes back after it',
      [
        [100, 105, 101.01, 102],
        [102, 102, 101.01, 101.5],
      ],
      everywhere(undefined),
    ],
    // 105 - 4 = 101
    [
      'works from the kline after the one that starts it',
      [
        [100, 105, 101.5, 102],
        [102, 102, 100.5, 101],
      ],
      everywhere('2: 101'),
    ],
    // 108 - 4 = 104
    [
      'follows once it has started',
      [
        [100, 105, 101.5, 102],
        [104, 108, 104.5, 106],
        [105, 105, 103, 104],
      ],
      everywhere('3: 104'),
    ],
    // It may start at 105, and stop at 101 before 108; straight up, it stops at 108 - 4.
    ['may start and stop on one kline', [[100, 108, 98, 103]], ['1: 101', '1: 104', '1: 104', '1: 104']],
    // After 98 and 108 the close of 105 is above 104.
    ['may start after the low', [[100, 108, 98, 105]], ['1: 101', undefined, '1: 104', undefined]],
    // The open starts it at 107 - 4 = 103.
    ['starts at an open that gaps beyond it', [QUIET, [107, 107, 102, 103]], everywhere('2: 103')],
  ]
  it.each(table)('%s', (_name, rows, expected) => {
    const long = enterLong({ trailingStop: LATE })
    const short = enterShort({ trailingStop: LATE })
    expect(PATHS.map(path => exitOf(long, rows, path))).toEqual(expected)
    const mirror = {
      pessimistic: 'pessimistic',
      optimistic: 'optimistic',
      ohlc: 'olhc',
      olhc: 'ohlc',
    } as const
    expect(PATHS.map(path => exitOf(short, rows.map(mirrored), mirror[path]))).toEqual(
      expected.map(exit => exit?.replace(/(?<=: )\S+/, price => `${200 - Number(price)}`)),
    )
  })

  it('may name the price instead of the profit', () => {
    const signal = enterLong({ trailingStop: { distance: 4, activation: 105 } })
    expect(exitOf(signal, [[100, 104.99, 80, 95]])).toBeUndefined()
    expect(exitOf(signal, [[100, 108, 98, 103]], 'ohlc')).toBe('1: 104')
  })
})

describe('a trailing stop by callback rate', () => {
  it('stays at a fraction of the best price, not of the entry', () => {
    // 120 × 0.9 = 108; a tenth of the entry would be 110.
    const rows: readonly Row[] = [
      [100, 120, 110.5, 119],
      [119, 119, 107, 110],
    ]
    expect(exitOf(enterLong({ trailingStop: { callbackRate: 0.1 } }), rows)).toBe('2: 108')
  })

  it('is above the lowest price for a short', () => {
    // 80 × 1.1 = 88
    const rows: readonly Row[] = [
      [100, 100, 80, 85],
      [85, 90, 85, 90],
    ]
    expect(exitOf(enterShort({ trailingStop: { callbackRate: 0.1 } }), rows, 'optimistic')).toBe('2: 88')
  })

  it('is put on the grid away from the price', () => {
    // 100.01 × 0.97 = 97.0097; a sell stop goes down, to 97.00.
    const rows: readonly Row[] = [
      [100, 100.01, 99, 99],
      [99, 99, 97.01, 98],
      [98, 98, 97, 98],
    ]
    expect(exitOf(enterLong({ trailingStop: { callbackRate: 0.03 } }), rows)).toBe('3: 97')
  })
})

it('stops at the nearest of several trailing stops, the one of a profit tighter than the first', () => {
  // 10% below the best price; 2% below it once that was 5% above the entry: 106 × 0.98 = 103.88.
  const trailingStop = [{ callbackRate: 0.1 }, { callbackRate: 0.02, activation: { fraction: 0.05 } }]
  const rows: readonly Row[] = [
    [100, 104, 100, 103],
    [103, 106, 104, 105],
    [105, 105, 103, 104],
  ]
  expect(exitOf(enterLong({ trailingStop }), rows)).toBe('3: 103.88')
  // 104 × 0.9 = 93.6
  expect(
    exitOf(enterLong({ trailingStop }), [
      [100, 104, 100, 103],
      [103, 103, 90, 91],
    ]),
  ).toBe('2: 93.6')
})

it('shows the strategy where its trailing stop stands', () => {
  const seen: (number | undefined)[] = []
  const strategy = defineStrategy({
    name: 'looking',
    state: () => ({ rows: 0 }),
    onKline(_kline, { orders, state }) {
      seen.push(...orders.map(({ stopPrice }) => stopPrice))
      return state.rows++ === 0 ? enterLong({ trailingStop: LATE }) : undefined
    },
  })
  const rows: readonly Row[] = [
    QUIET,
    [100, 104, 100, 103],
    [103, 105, 103, 104],
    [104, 108, 104.5, 106],
    [106, 107, 105, 106],
    [106, 106, 103, 104],
  ]
  // Not before 105; then 105 - 4, and 108 - 4 twice.
  run(strategy, rows)
  expect(seen).toEqual([undefined, 101, 104, 104])
  seen.length = 0
  run(strategy, rows, { fills: { path: 'ohlc' } })
  expect(seen).toEqual([undefined, 101, 104, 104])
})

it('touches a level exactly, where floats would miss it by a hair', () => {
  // 100.3 - 0.2 is 100.1, but 100.3 - 0.2 in doubles is 100.1 less a hair, or more.
  for (let cents = 1; cents <= 99; cents++) {
    const best = 100 + cents / 100
    const low = Number((best - 0.99).toFixed(2))
    const rows: readonly Row[] = [
      [100, best, Math.max(99.9, low + 0.01), 100],
      [Math.max(100, low + 0.01), best, low, best],
    ]
    expect(exitOf(enterLong({ trailingStop: { distance: 0.99 } }), rows)).toBe(`2: ${low}`)
  }
})

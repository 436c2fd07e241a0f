import { describe, expect, it } from 'vitest'
import type { FillSettings } from '../../../backtest/models/fill-settings.ts'
import { enterLong, enterShort, exit } from '../../../src/strategy/index.ts'
import { exitReasons, fillWords, QUIET, type Row, type RunSettings, runScript } from '../kline-table.ts'

const long = enterLong({ stopLoss: 95, takeProfit: 110 })
const short = enterShort({ stopLoss: 105, takeProfit: 90 })
/** The kline at whose open the entry fills, at 100, and on which nothing else happens. */
const ENTRY: Row = [100, 101, 99, 100]

/** The exit of a bracket around 100 on `row`, two klines after the decision: `reason price liquidity`. */
function exitOn(row: Row, fills: Partial<FillSettings> = {}, signal = long): string | undefined {
  const result = runScript({ 0: signal }, [QUIET, ENTRY, row], { fills })
  const words = fillWords(result)[1]?.split(' at ')[1]
  return words && `${exitReasons(result)[0]} ${words}`
}

describe('a bracket', () => {
  const always = { stopLossFirst: 'always' } as const
  const table: readonly (readonly [string, Row, Partial<FillSettings>, string | undefined])[] = [
    ['stops out when the low touches the stop-loss', [100, 101, 95, 99], {}, 'stopLoss 95 taker'],
    ['stops out at the open that gapped below', [94, 96, 93, 95], {}, 'stopLoss 94 taker'],
    ['takes profit when the price trades through', [100, 110.01, 99, 105], {}, 'takeProfit 110 taker'],
    ['takes no profit on a touch', [100, 110, 99, 105], {}, undefined],
    [
      'takes profit on a touch where the settings say so',
      [100, 110, 99, 105],
      { limitFill: 'touch' },
      'takeProfit 110 taker',
    ],
    ['stops out when the kline holds both', [100, 111, 94, 105], {}, 'stopLoss 95 taker'],
    [
      'takes the profit that the open has passed, before the stop-loss',
      [112, 113, 94, 100],
      {},
      'takeProfit 110 taker',
    ],
    [
      'takes that profit at the open where the settings say so',
      [112, 113, 94, 100],
      { gappedLimit: 'atOpen' },
      'takeProfit 112 taker',
    ],
    ['stops out even so where the settings say always', [112, 113, 94, 100], always, 'stopLoss 95 taker'],
    ['takes that profit when the stop-loss is far', [112, 113, 111, 112], always, 'takeProfit 110 taker'],
    // 95 × 0.999 = 94.905
    ['pays slippage on the stop-loss', [100, 101, 95, 99], { slippageRate: 0.001 }, 'stopLoss 94.9 taker'],
  ]
  it.each(table)('%s', (_name, row, fills, expected) => {
    expect(exitOn(row, fills)).toBe(expected)
  })

  it.each([
    ['atOpen', 112],
    ['atLimit', 110],
  ] as const)(
    'that the open has passed waits while another stop-loss is in reach, and then sells %s',
    (gappedLimit, price) => {
      // The other entry has no take-profit. Its stop-loss, which the low reaches, comes first.
      const other = enterLong({ stopLoss: 96, scaleIn: true, tag: 'other' })
      const target = enterLong({ takeProfit: 110, scaleIn: true, tag: 'target' })
      const fills = { ...always, gappedLimit }
      const result = runScript({ 0: [other, target] }, [QUIET, ENTRY, [112, 113, 95, 100]], { fills })
      expect(fillWords(result).slice(2)).toEqual(['2: sell 1 at 96 taker', `2: sell 1 at ${price} taker`])
    },
  )

  const shorts: readonly (readonly [string, Row, string])[] = [
    ['stops out when the high touches the stop-loss', [100, 105, 99, 101], 'stopLoss 105 taker'],
    ['stops out at the open that gapped above', [106, 107, 104, 105], 'stopLoss 106 taker'],
    ['takes profit when the price trades through', [100, 101, 89.99, 95], 'takeProfit 90 taker'],
    ['stops out when the kline holds both', [100, 106, 89, 95], 'stopLoss 105 taker'],
    ['takes the profit that the open has passed', [88, 106, 87, 100], 'takeProfit 90 taker'],
  ]
  it.each(shorts)('of a short %s', (_name, row, expected) => {
    expect(exitOn(row, {}, short)).toBe(expected)
  })

  it('is gone after one of its orders filled', () => {
    const result = runScript({ 0: long }, [QUIET, ENTRY, [100, 111, 99, 100], [100, 101, 90, 95]])
    expect(fillWords(result)).toEqual(['1: buy 1 at 100 taker', '2: sell 1 at 110 taker'])
    expect(result.workingOrders).toBe(0)
  })

  it('on the kline of a market entry works from its open on', () => {
    expect(fillWords(runScript({ 0: long }, [QUIET, [100, 101, 95, 99]]))).toEqual([
      '1: buy 1 at 100 taker',
      '1: sell 1 at 95 taker',
    ])
    expect(fillWords(runScript({ 0: long }, [QUIET, [100, 111, 96, 99]]))).toEqual([
      '1: buy 1 at 100 taker',
      '1: sell 1 at 110 taker',
    ])
  })

  it('takes from the book where the take-profit already lies behind the open of the entry', () => {
    expect(fillWords(runScript({ 0: long }, [QUIET, [112, 113, 111, 112]]))).toEqual([
      '1: buy 1 at 112 taker',
      '1: sell 1 at 112 taker',
    ])
  })
})

describe('orders that only reduce', () => {
  const enter = enterLong({ size: { base: 4 }, stopLoss: 95, takeProfit: 110 })
  const exits: readonly (readonly [string, ReturnType<typeof exit>, Row, readonly string[]])[] = [
    [
      'a limit exit and the stop-loss in one kline',
      exit({ order: { type: 'limit', price: 108 } }),
      [100, 109, 94, 100],
      ['2: sell 4 at 95 taker'],
    ],
    ['a market exit at an open beyond the stop-loss', exit(), [94, 95, 93, 94], ['2: sell 4 at 94 taker']],
    [
      'a limit exit of a half and the take-profit in one kline',
      exit({ order: { type: 'limit', price: 105 }, fraction: 0.5 }),
      [100, 111, 99, 100],
      ['2: sell 2 at 105 maker', '2: sell 2 at 110 taker'],
    ],
    [
      'a market exit of a half and the stop-loss in one kline',
      exit({ fraction: 0.5 }),
      [100, 101, 94, 100],
      ['2: sell 2 at 100 taker', '2: sell 2 at 95 taker'],
    ],
  ]
  it.each(exits)('never turn the position around: %s', (_name, signal, row, expected) => {
    const result = runScript({ 0: enter, 1: signal }, [QUIET, ENTRY, row, QUIET])
    expect(fillWords(result).slice(1)).toEqual(expected)
    expect(result.openPositions[0]).toBeUndefined()
    expect(result.workingOrders).toBe(0)
  })
})

it('an exit that an entry against the position went before closes only what is left', () => {
  const script = {
    0: enterLong({ size: { base: 4 } }),
    1: enterShort({ size: { base: 3 }, order: { type: 'limit', price: 104 } }),
    2: exit({ fraction: 0.75, order: { type: 'limit', price: 105 } }),
  }
  const result = runScript(script, [QUIET, ENTRY, ENTRY, [100, 106, 99, 100]])
  expect(fillWords(result).slice(1)).toEqual(['3: sell 3 at 104 maker', '3: sell 1 at 105 maker'])
  expect([result.openPositions[0], result.workingOrders]).toEqual([undefined, 0])
})

describe('protection on the kline of the entry', () => {
  const limit = enterLong({ order: { type: 'limit', price: 98 }, stopLoss: 95, takeProfit: 110 })
  const stop = enterLong({ order: { type: 'stop', stopPrice: 103 }, stopLoss: 99, takeProfit: 108 })
  const only: RunSettings = { fills: { entryKlineProtection: 'marketEntries' } }
  const table: readonly (readonly [string, typeof long, Row, RunSettings, readonly string[]])[] = [
    [
      'stops a limit entry out',
      limit,
      [100, 101, 94, 100],
      {},
      ['1: buy 1 at 98 maker', '1: sell 1 at 95 taker'],
    ],
    [
      'takes no profit of a limit entry when the high may have come first',
      limit,
      [100, 111, 97, 100],
      {},
      ['1: buy 1 at 98 maker'],
    ],
    [
      'takes the profit of a limit entry that the close proves',
      limit,
      [100, 112, 97, 111],
      {},
      ['1: buy 1 at 98 maker', '1: sell 1 at 110 taker'],
    ],
    [
      'takes the profit of a stop entry, whose high comes after it',
      stop,
      [101, 109, 100, 102],
      {},
      ['1: buy 1 at 103 taker', '1: sell 1 at 108 taker'],
    ],
    [
      'stops a stop entry out when the kline holds both',
      stop,
      [101, 109, 98, 102],
      {},
      ['1: buy 1 at 103 taker', '1: sell 1 at 99 taker'],
    ],
    [
      'sees the whole kline when the open fills the entry',
      limit,
      [97, 111, 96, 100],
      {},
      ['1: buy 1 at 97 taker', '1: sell 1 at 110 taker'],
    ],
    ['of a limit entry can be set to wait', limit, [100, 112, 94, 111], only, ['1: buy 1 at 98 maker']],
    [
      'of a stop entry then only takes profit',
      stop,
      [101, 109, 100, 102],
      only,
      ['1: buy 1 at 103 taker', '1: sell 1 at 108 taker'],
    ],
    [
      'of a stop entry then does nothing where the stop-loss is touched',
      stop,
      [101, 109, 98, 102],
      only,
      ['1: buy 1 at 103 taker'],
    ],
    [
      'of a market entry works in any case',
      long,
      [100, 101, 94, 100],
      only,
      ['1: buy 1 at 100 taker', '1: sell 1 at 95 taker'],
    ],
  ]
  it.each(table)('%s', (_name, signal, row, settings, expected) => {
    expect(fillWords(runScript({ 0: signal }, [QUIET, row], settings))).toEqual(expected)
  })

  it('that waited works from the next kline on', () => {
    const rows: readonly Row[] = [QUIET, [100, 101, 94, 100], [100, 101, 95, 100]]
    expect(fillWords(runScript({ 0: limit }, rows, only))[1]).toBe('2: sell 1 at 95 taker')
  })

  it('takes profit at its own price, not at an open from before the entry', () => {
    const signal = enterLong({ order: { type: 'limit', price: 98 }, takeProfit: 99 })
    const result = runScript({ 0: signal }, [QUIET, [100, 100.5, 97, 99.5]], {
      fills: { gappedLimit: 'atOpen' },
    })
    expect(fillWords(result)).toEqual(['1: buy 1 at 98 maker', '1: sell 1 at 99 taker'])
  })
})

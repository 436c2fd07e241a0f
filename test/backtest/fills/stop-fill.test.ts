import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FillSettings } from '../../../backtest/models/fill-settings.ts'
import { enterLong, enterShort } from '../../../src/strategy/index.ts'
import { propertyRuns } from '../../simulator/property-runs.ts'
import { fillWords, QUIET, type Row, runScript } from '../kline-table.ts'

const rate = { slippageRate: 0.001 }

describe('a stop order', () => {
  const buys: readonly (readonly [string, Partial<FillSettings>, Row, string | undefined])[] = [
    ['triggers when the high touches it', {}, [100, 103, 99, 101], '103'],
    ['does not trigger below it', {}, [100, 102.99, 99, 101], undefined],
    ['trades at the open that gapped over it', {}, [105, 106, 104, 105], '105'],
    // 103 × 1.001 = 103.103
    ['pays slippage', rate, [100, 103, 99, 101], '103.11'],
    // 105 × 1.001 = 105.105
    ['pays slippage on a gap', rate, [105, 106, 104, 105], '105.11'],
  ]
  it.each(buys)('to buy %s', (_name, fills, row, price) => {
    const result = runScript({ 0: enterLong({ order: { type: 'stop', stopPrice: 103 } }) }, [QUIET, row], {
      fills,
    })
    expect(fillWords(result)).toEqual(price === undefined ? [] : [`1: buy 1 at ${price} taker`])
  })

  const sells: readonly (readonly [string, Partial<FillSettings>, Row, string | undefined])[] = [
    ['triggers when the low touches it', {}, [100, 101, 97, 99], '97'],
    ['does not trigger above it', {}, [100, 101, 97.01, 99], undefined],
    ['trades at the open that gapped over it', {}, [95, 96, 94, 95], '95'],
    // 97 × 0.999 = 96.903
    ['pays slippage', rate, [100, 101, 97, 99], '96.9'],
  ]
  it.each(sells)('to sell %s', (_name, fills, row, price) => {
    const result = runScript({ 0: enterShort({ order: { type: 'stop', stopPrice: 97 } }) }, [QUIET, row], {
      fills,
    })
    expect(fillWords(result)).toEqual(price === undefined ? [] : [`1: sell 1 at ${price} taker`])
  })
})

/** Rules that do not look at the path, and say nothing of entries. */
const pathless = { stopLossFirst: 'always' } as const

describe.each([
  ['by the worst path', {}],
  ['by rules that do not look at the path', pathless],
])('a stop-limit order %s', (_rules, ruled) => {
  const atStopPrice = { stopLimit: 'atStopPrice' } as const
  const buys: readonly (readonly [
    string,
    [number, number],
    Partial<FillSettings>,
    readonly Row[],
    readonly string[],
  ])[] = [
    [
      'fills at its stop when the price rises through both',
      [103, 104],
      {},
      [[100, 105, 99, 101]],
      ['1: buy 1 at 103 taker'],
    ],
    [
      'fills at an open between stop and limit',
      [103, 104],
      {},
      [[103.5, 105, 102, 104]],
      ['1: buy 1 at 103.5 taker'],
    ],
    [
      'with one price for both fills at an open there',
      [103, 103],
      {},
      [[103, 104, 99, 101]],
      ['1: buy 1 at 103 taker'],
    ],
    ['fills at an open that is its limit', [103, 104], {}, [[104, 105, 103, 104]], ['1: buy 1 at 104 taker']],
    [
      'rests at its limit when the open jumps over it, and fills when a later kline comes back',
      [103, 104],
      {},
      [
        [106, 107, 105, 106],
        [106, 106, 103, 104],
      ],
      ['2: buy 1 at 104 maker'],
    ],
    [
      'fills at its limit when the same kline comes back',
      [103, 104],
      {},
      [[106, 107, 103, 105]],
      ['1: buy 1 at 104 maker'],
    ],
    ['does not fill when the kline only comes back to its limit', [103, 104], {}, [[106, 107, 104, 105]], []],
    ['with one price for both fills there', [103, 103], {}, [[100, 104, 99, 101]], ['1: buy 1 at 103 taker']],
    [
      'fills at a limit short of its stop if the close proves the way back',
      [103, 101],
      {},
      [[100, 104, 99, 100.5]],
      ['1: buy 1 at 101 maker'],
    ],
    [
      'waits with a limit short of its stop if the low may have come first',
      [103, 101],
      {},
      [
        [100, 104, 99, 102],
        [102, 102, 100, 101],
      ],
      ['2: buy 1 at 101 maker'],
    ],
    // 103 × 1.001 = 103.103
    [
      'pays slippage up to its limit',
      [103, 103.05],
      rate,
      [[100, 105, 99, 101]],
      ['1: buy 1 at 103.05 taker'],
    ],
    ['is not triggered below its stop', [103, 104], {}, [[100, 102.99, 99, 101]], []],
    [
      'fills at its stop in spite of a gap where the settings say so',
      [103, 104],
      atStopPrice,
      [[106, 107, 102, 105]],
      ['1: buy 1 at 103 taker'],
    ],
    [
      'with one price for both waits for the next kline where the settings say so',
      [103, 103],
      atStopPrice,
      [
        [100, 104, 99, 101],
        [104, 104, 102, 103],
      ],
      ['2: buy 1 at 103 maker'],
    ],
  ]
  it.each(buys)('to buy %s', (_name, [stopPrice, price], fills, rows, expected) => {
    const signal = enterLong({ order: { type: 'stopLimit', stopPrice, price } })
    const settings = { fills: { ...fills, ...ruled } }
    expect(fillWords(runScript({ 0: signal }, [QUIET, ...rows], settings))).toEqual(expected)
  })

  const sells: readonly (readonly [string, [number, number], readonly Row[], readonly string[]])[] = [
    [
      'fills at its stop when the price falls through both',
      [97, 96],
      [[100, 101, 95, 99]],
      ['1: sell 1 at 97 taker'],
    ],
    [
      'with one price for both fills at an open there',
      [97, 97],
      [[97, 99, 96, 98]],
      ['1: sell 1 at 97 taker'],
    ],
    [
      'rests when the open jumps over its limit',
      [97, 96],
      [
        [94, 95, 93, 94],
        [94, 97, 94, 95],
      ],
      ['2: sell 1 at 96 maker'],
    ],
    [
      'waits with a limit short of its stop',
      [97, 99],
      [
        [100, 101, 96, 98],
        [98, 100, 97, 98],
      ],
      ['2: sell 1 at 99 maker'],
    ],
  ]
  it.each(sells)('to sell %s', (_name, [stopPrice, price], rows, expected) => {
    const signal = enterShort({ order: { type: 'stopLimit', stopPrice, price } })
    expect(fillWords(runScript({ 0: signal }, [QUIET, ...rows], { fills: ruled }))).toEqual(expected)
  })

  it('triggered inside a kline still waits when another order fills on that kline', () => {
    const script = {
      0: [
        enterLong({ order: { type: 'stopLimit', stopPrice: 103, price: 101 } }),
        enterShort({ order: { type: 'limit', price: 102 } }),
      ],
    }
    const result = runScript(script, [QUIET, [100, 104, 99, 103]], { fills: ruled })
    expect(fillWords(result)).toEqual(['1: sell 1 at 102 maker'])
  })
})

it('a stop-limit order that may trade at its stop price does so by low and high of a kline alone, and else rests from the next on', () => {
  const anyPrice = fc.integer({ min: 96, max: 104 })
  const anyRow = fc
    .tuple(anyPrice, anyPrice, anyPrice, anyPrice)
    .map((prices): Row => [prices[0], Math.max(...prices), Math.min(...prices), prices[3]])
  const seen = { atStop: 0, outside: 0, resting: 0 }
  fc.assert(
    fc.property(
      fc.constantFrom('buy', 'sell'),
      anyPrice,
      anyPrice,
      anyRow,
      anyRow,
      fc.constantFrom('touch', 'through'),
      (side, stopPrice, price, first, second, limitFill) => {
        const sign = side === 'buy' ? 1 : -1
        // As a buyer sees them: he stops above and bids below.
        const lowOf = ([, high, low]: Row) => Math.min(sign * high, sign * low)
        const highOf = ([, high, low]: Row) => Math.max(sign * high, sign * low)
        const passes = (row: Row) =>
          limitFill === 'touch' ? lowOf(row) <= sign * price : lowOf(row) < sign * price
        const atStop = (row: Row) => sign * price > sign * stopPrice && passes(row)
        const isTriggered = (row: Row) => highOf(row) >= sign * stopPrice
        const expected = () => {
          if (isTriggered(first) && atStop(first)) return `1: ${side} 1 at ${stopPrice} taker`
          if (isTriggered(first)) return passes(second) ? `2: ${side} 1 at ${price} maker` : undefined
          return isTriggered(second) && atStop(second) ? `2: ${side} 1 at ${stopPrice} taker` : undefined
        }
        const order = { type: 'stopLimit', stopPrice, price, triggerAtOnce: true } as const
        const enter = side === 'buy' ? enterLong : enterShort
        const fills = { stopLimit: 'atStopPrice', limitFill } as const
        const [fill] = fillWords(runScript({ 0: enter({ order }) }, [QUIET, first, second], { fills }))
        expect(fill).toBe(expected())
        const row = fill?.startsWith('1') ? first : second
        if (fill?.endsWith('maker')) seen.resting++
        else if (fill !== undefined) seen.atStop++
        if (fill?.endsWith('taker') && lowOf(row) > sign * stopPrice) seen.outside++
      },
    ),
    propertyRuns(500),
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20)
})

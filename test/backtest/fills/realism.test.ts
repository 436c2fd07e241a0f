import { describe, expect, it } from 'vitest'
import type { FillSettings } from '../../../backtest/models/fill-settings.ts'
import { amountOf, amountToText } from '../../../src/domain/numbers/amount.ts'
import { enterLong, enterShort, exit } from '../../../src/strategy/index.ts'
import { MARGIN, SPOT } from '../../engine/engine-session.ts'
import { fillWords, klinesOf, QUIET, type Row, runScript } from '../kline-table.ts'

const NEXT: Row = [102, 104, 101, 103]

describe('what a taker loses', () => {
  const table: readonly (readonly [string, number, Partial<FillSettings>, string, string])[] = [
    // Half of 3 ticks is 1.5, which is 2 in whole ticks.
    ['half a spread in ticks', 1, { spreadTicks: 3 }, '102.02', '101.98'],
    // 102 × 1.0005 = 102.051 and 102 × 0.9995 = 101.949
    ['half a spread as a fraction', 1, { spreadRate: 0.001 }, '102.06', '101.94'],
    // A share of 1 (the volume is 1): 102 × 1.1 and 102 × 0.9
    ['the impact of a whole volume', 1, { volumeImpact: 0.1 }, '112.2', '91.8'],
    // 0.1 × 0.5² = 0.025: 102 × 1.025 = 104.55 and 102 × 0.975 = 99.45
    ['the impact of half a volume', 0.5, { volumeImpact: 0.1 }, '104.55', '99.45'],
    // A share is at most 1.
    ['no more than that impact', 3, { volumeImpact: 0.1 }, '112.2', '91.8'],
    // 0.0002 + 0.0005 + 0.025 = 0.0257: 104.6214 and 99.3786; and 1 + 1 ticks
    [
      'all of them together',
      0.5,
      { slippageRate: 0.0002, slippageTicks: 1, spreadRate: 0.001, spreadTicks: 2, volumeImpact: 0.1 },
      '104.65',
      '99.35',
    ],
  ]
  it.each(table)('is %s', (_name, base, fills, bought, sold) => {
    const settings = { fills, size: { base } }
    expect(fillWords(runScript({ 0: enterLong() }, [QUIET, NEXT], settings))).toEqual([
      `1: buy ${base} at ${bought} taker`,
    ])
    expect(fillWords(runScript({ 0: enterShort() }, [QUIET, NEXT], settings))).toEqual([
      `1: sell ${base} at ${sold} taker`,
    ])
  })
})

// An order of a spot account that nothing works beside takes a shortcut.
const ACCOUNTS = [
  ['margin', MARGIN],
  ['spot', { ...SPOT, fees: MARGIN.fees }],
] as const

describe.each(ACCOUNTS)('latency on a %s account', (_account, instrument) => {
  const rows: readonly Row[] = [QUIET, [101, 101, 101, 101], [102, 103, 94, 102], [103, 103, 103, 103]]
  const table: readonly (readonly [number, string])[] = [
    [0, '1: buy 1 at 101 taker'],
    [1, '2: buy 1 at 102 taker'],
    [60_000, '2: buy 1 at 102 taker'],
    [60_001, '3: buy 1 at 103 taker'],
  ]
  it.each(table)(
    'of %d ms lets an order trade at the first open that is not before it',
    (latencyMs, first) => {
      expect(fillWords(runScript({ 0: enterLong() }, rows, { instrument, fills: { latencyMs } }))).toEqual([
        first,
      ])
    },
  )

  it('does not delay the protection of an entry that fills', () => {
    const script = { 0: enterLong({ stopLoss: 95 }) }
    expect(fillWords(runScript(script, rows, { instrument, fills: { latencyMs: 500 } }))).toEqual([
      '2: buy 1 at 102 taker',
      '2: sell 1 at 95 taker',
    ])
  })

  it('lets a limit order that the open has passed meanwhile take from the book', () => {
    const script = { 0: enterLong({ order: { type: 'limit', price: 105 } }) }
    expect(fillWords(runScript(script, rows, { instrument, fills: { latencyMs: 500 } }))).toEqual([
      '2: buy 1 at 102 taker',
    ])
  })

  it('does not keep a position open at the end of the data', () => {
    const result = runScript({ 0: enterLong() }, rows, {
      instrument,
      fills: { latencyMs: 500, maxVolumeShare: 1 },
      closeAtEnd: 'lastClose',
    })
    expect(fillWords(result)[1]).toBe('4: sell 1 at 103 taker')
  })
})

describe('a share of the volume', () => {
  const half = { fills: { maxVolumeShare: 0.5 } } // of 1

  it('lets a stop-loss that the entry left no volume for trade at the next open', () => {
    const rows: Row[] = [QUIET, [100, 100, 94, 96], [97, 97, 97, 97], QUIET]
    const result = runScript({ 0: enterLong({ stopLoss: 95 }) }, rows, half)
    expect(fillWords(result)).toEqual(['1: buy 0.5 at 100 taker', '2: sell 0.5 at 97 taker'])
    expect(result.fills[1]?.rule).toBe('triggeredRest')
  })

  it('ends an entry that takes with what its kline gives, and spreads an exit over as many klines as it needs', () => {
    const rows: Row[] = [QUIET, QUIET, [101, 101, 101, 101], QUIET, [102, 102, 102, 102], QUIET]
    const script = { 0: enterLong({ size: { base: 1.2 } }), 1: enterLong({ scaleIn: true }), 2: exit() }
    const result = runScript(script, rows, half)
    expect(fillWords(result)).toEqual([
      '1: buy 0.5 at 100 taker',
      '2: buy 0.5 at 101 taker',
      '3: sell 0.5 at 100 taker',
      '4: sell 0.5 at 102 taker',
    ])
    expect(result.workingOrders).toBe(0)
  })

  it.each([
    ['market', enterLong({ stopLoss: 95, size: { base: 1.2 } })],
    [
      'stop',
      enterLong({
        order: { type: 'stop', stopPrice: 100, triggerAtOnce: true },
        stopLoss: 95,
        size: { base: 1.2 },
      }),
    ],
    [
      'ifTouched',
      enterLong({
        order: { type: 'ifTouched', triggerPrice: 100, triggerAtOnce: true },
        stopLoss: 95,
        size: { base: 1.2 },
      }),
    ],
  ] as const)('lets no rest of an entry (%s) buy below its own stop-loss', (_, entry) => {
    const rows: Row[] = [QUIET, QUIET, [100, 100, 94, 94], [90, 91, 89, 90], [90, 91, 89, 90]]
    expect(fillWords(runScript({ 0: entry }, rows, half))).toEqual([
      '1: buy 0.5 at 100 taker',
      '2: sell 0.5 at 95 taker',
    ])
  })

  it('of nothing cancels an entry that takes, and lets an exit wait', () => {
    const rows: Row[] = [QUIET, QUIET, QUIET, QUIET, QUIET]
    const klines = klinesOf(rows)
    const volume = Float64Array.of(1, 0, 1, 0, 1)
    const script = { 0: enterLong(), 1: enterLong({ size: { base: 0.2 } }), 2: exit() }
    expect(fillWords(runScript(script, rows, { ...half, klines: { ...klines, volume } }))).toEqual([
      '2: buy 0.2 at 100 taker',
      '4: sell 0.2 at 100 taker',
    ])
  })

  it('leaves the rest of a limit order at its limit', () => {
    const rows: Row[] = [QUIET, [100, 100, 97, 99], [99, 99, 98, 99], [99, 99, 96, 97]]
    const script = { 0: enterLong({ order: { type: 'limit', price: 98 } }) }
    expect(fillWords(runScript(script, rows, half))).toEqual([
      '1: buy 0.5 at 98 maker',
      '3: buy 0.5 at 98 maker',
    ])
  })

  it('protects what is filled, and sells the rest of a triggered stop at the next open', () => {
    const rows: Row[] = [QUIET, QUIET, QUIET, [100, 101, 95, 96], [99, 120, 99, 99], QUIET]
    const entry = { stopLoss: 95, takeProfit: 110, size: { base: 0.5 }, scaleIn: true }
    const result = runScript({ 0: enterLong(entry), 1: enterLong(entry) }, rows, half)
    expect(fillWords(result).slice(2)).toEqual(['3: sell 0.5 at 95 taker', '4: sell 0.5 at 99 taker'])
    expect(result.fills.at(-1)?.rule).toBe('triggeredRest')
    expect([result.openPositions[0], result.workingOrders]).toEqual([undefined, 0])
  })

  it.each(ACCOUNTS)('is all that a lone entry of a %s account gets', (_account, instrument) => {
    const given = { ...half, instrument }
    expect(fillWords(runScript({ 0: enterLong() }, [QUIET, QUIET], given))).toEqual([
      '1: buy 0.5 at 100 taker',
    ])
  })

  it.each([
    // Down to 98 and 95: 2 × (95 - 98). To 98, and up to 105: 2 × (105 - 98).
    ['pessimistic', -6],
    ['optimistic', 14],
  ] as const)('lets exits grow with the rest of their entry, also on the path that is %s', (path, gain) => {
    const bid = enterLong({
      ...{ order: { type: 'limit', price: 98 }, size: { base: 2 }, stopLoss: 95, takeProfit: 105 },
    })
    const rows: Row[] = [QUIET, [100, 100, 97, 100], [100, 106, 94, 100]]
    const klines = { ...klinesOf(rows), volume: Float64Array.of(1, 1, 10) }
    const result = runScript({ 0: bid }, [], { klines, fills: { path, maxVolumeShare: 1 } })
    expect((result.equity.at(-1) ?? Number.NaN) - 10_000).toBe(gain)
  })

  it('is not there again for orders that are sized at the open', () => {
    const script = {
      0: enterLong({ order: { type: 'limit', price: 98 }, size: { base: 0.8 }, keep: true }),
      1: enterLong({ size: { base: 0.8 }, scaleIn: true }),
    }
    const rows: Row[] = [QUIET, QUIET, [97, 97, 97, 97]]
    const settings = { sizingReference: 'nextOpen', fills: { maxVolumeShare: 1 } } as const
    expect(fillWords(runScript(script, rows, settings))).toEqual([
      '2: buy 0.8 at 98 maker',
      '2: buy 0.2 at 97 taker',
    ])
  })

  it('is for all orders of a kline together', () => {
    const entry = enterLong({ size: { base: 0.2 }, scaleIn: true })
    expect(
      fillWords(
        runScript({ 0: [entry, entry, entry, entry] }, [QUIET, QUIET, QUIET], {
          fills: { maxVolumeShare: 0.3 },
        }),
      ),
    ).toEqual(['1: buy 0.2 at 100 taker', '1: buy 0.1 at 100 taker'])
  })

  it('on a spot account keeps balances and orders in step', () => {
    const settings = { ...half, instrument: SPOT, quote: '120' }
    const result = runScript(
      { 0: enterLong({ size: { quote: 100 } }) },
      [QUIET, QUIET, [150, 150, 150, 150]],
      settings,
    )
    expect(fillWords(result)).toEqual(['1: buy 0.5 at 100 taker'])
    expect(amountToText(result.balances.get('USDT') ?? amountOf('0'))).toBe('70')
    expect(result.workingOrders).toBe(0)
  })

  it('ends an order once whose fill neither the volume nor the balance covers', () => {
    const settings = { fills: { maxVolumeShare: 0.3 }, instrument: SPOT, quote: '120' }
    const rows: Row[] = [QUIET, [500, 500, 500, 500], [1, 1, 1, 1]]
    const result = runScript({ 0: enterLong({ size: { quote: 100 } }) }, rows, settings)
    // 1 is wanted and 0.3 is there, of which 120 pay 0.24 at 500.
    expect(fillWords(result)).toEqual(['1: buy 0.24 at 500 taker'])
    expect(result.workingOrders).toBe(0)
  })
})

describe('a simulated fill', () => {
  it('names its rule, its kline, its price without slippage, and what the slippage cost', () => {
    const result = runScript(
      { 0: enterLong({ stopLoss: 95, size: { base: 2 } }) },
      [QUIET, QUIET, [100, 101, 95, 99]],
      {
        fills: { slippageRate: 0.001 },
      },
    )
    // 100 × 1.001 = 100.1, and 95 × 0.999 = 94.905, which is 94.9 on the grid: 0.1 × 2 each.
    expect(result.fills).toMatchObject([
      { rule: 'marketAtOpen', klineOpenTime: 60_000, priceBeforeSlippage: 10_000, slippage: amountOf('0.2') },
      { rule: 'stopInside', klineOpenTime: 120_000, priceBeforeSlippage: 9500, slippage: amountOf('0.2') },
    ])
  })

  const rules: readonly (readonly [string, Parameters<typeof enterLong>[0], Row])[] = [
    ['stopAtOpen', { order: { type: 'stop', stopPrice: 103 } }, [104, 105, 103, 104]],
    ['stopAtOpen', { order: { type: 'stopLimit', stopPrice: 103, price: 105 } }, [104, 105, 103, 104]],
    ['touchedAtOpen', { order: { type: 'ifTouched', triggerPrice: 98 } }, [97, 98, 96, 97]],
    ['touchedInside', { order: { type: 'ifTouched', triggerPrice: 98 } }, [100, 101, 97, 100]],
    ['stopInside', { order: { type: 'stop', stopPrice: 103 } }, [100, 104, 99, 100]],
    ['limitTakesAtOpen', { order: { type: 'limit', price: 103 } }, [102, 105, 101, 104]],
    ['limitInside', { order: { type: 'limit', price: 98 } }, [100, 101, 97, 100]],
    ['stopLimitTriggered', { order: { type: 'stopLimit', stopPrice: 103, price: 104 } }, [100, 105, 99, 100]],
    ['stopLimitPullback', { order: { type: 'stopLimit', stopPrice: 103, price: 102 } }, [100, 105, 99, 100]],
  ]
  it.each(rules)(
    'by %s says so, whether by the worst path or by rules that do not look at it',
    (rule, entry, row) => {
      for (const stopLossFirst of ['unlessOpenPassedTakeProfit', 'always'] as const) {
        const { fills } = runScript({ 0: enterLong(entry) }, [QUIET, row], { fills: { stopLossFirst } })
        expect(fills.map(fill => fill.rule)).toEqual([rule])
      }
    },
  )

  it('by stop and limit as one price says so', () => {
    const order = { type: 'stopLimit', stopPrice: 103, price: 104 } as const
    // The open jumps over both, and the kline comes back to the stop.
    const result = runScript({ 0: enterLong({ order }) }, [QUIET, [106, 107, 102, 105]], {
      fills: { stopLimit: 'atStopPrice' },
    })
    expect(result.fills).toMatchObject([{ rule: 'stopLimitAsOnePrice', price: 10_300, liquidity: 'taker' }])
  })

  it.each<[string, Row]>([
    ['stopInside', [100, 100, 95, 95]],
    ['trailedInside', [100, 103, 95, 95]],
  ])('of a trailing stop on a known path says %s after the kline [%s]', (rule, row) => {
    const script = { 0: enterLong({ trailingStop: { distance: 4 } }) }
    const result = runScript(script, [QUIET, QUIET, row], { fills: { path: 'ohlc' } })
    expect(result.fills.map(fill => fill.rule)).toEqual(['marketAtOpen', rule])
  })

  it('of a resting limit that the open passed, of a trailed stop, and of a closed position says so', () => {
    const script = {
      0: enterLong({ order: { type: 'limit', price: 98 }, trailingStop: { distance: 4 } }),
      4: enterLong(),
    }
    const rows: Row[] = [QUIET, QUIET, [97, 98, 96, 97], [98, 103, 98, 99], QUIET, QUIET]
    expect(runScript(script, rows, { closeAtEnd: 'lastClose' }).fills.map(({ rule }) => rule)).toEqual([
      'limitPassedByOpen',
      'trailedInside',
      'marketAtOpen',
      'positionClosed',
    ])
  })
})

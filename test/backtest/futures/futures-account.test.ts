import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordedFunding } from '../../../backtest/futures/funding-rates.ts'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import { amountToText, rateOf } from '../../../src/domain/numbers/amount.ts'
import { defineStrategy } from '../../../src/strategy/define-strategy.ts'
import { enterLong, enterShort, exit, targetPosition } from '../../../src/strategy/index.ts'
import { klinesOf, QUIET, type Row, run, runScript } from '../kline-table.ts'
import { CONTRACT, contractFills, contractWith } from './contract-run.ts'

const HOUR_ROWS = 60
const at = (price: number): Row => [price, price, price, price]
const textOf = ({ balances }: BacktestResult) => amountToText((balances.get('USDT') ?? 0n) as never)

describe('funding', () => {
  const paid = (result: BacktestResult) =>
    result.funding.map(({ time, amount }) => [time / 60_000, amountToText(amount)])
  /** Settlements when row 2 opens and in its middle. */
  const list = {
    type: 'list',
    length: 2,
    time: Float64Array.of(120_000, 150_000),
    rate: Float64Array.of(0.001, -0.002),
  } as const
  const rows = [QUIET, QUIET, at(110), at(120)]

  it('is paid at the mark price of its moment by who holds a position then', () => {
    const result = runScript({ 0: enterLong() }, rows, { instrument: CONTRACT, futures: { funding: list } })
    expect(paid(result)).toEqual([
      [2, '0.11'],
      [2.5, '-0.22'],
    ])
    // The price rose by 20, and 0.11 was received in all.
    expect(result.equity[3]).toBeCloseTo(10_020.11, 9)
    expect(textOf(result)).toBe('10000.11')
  })

  it('is the other way round for a short', () => {
    const falling = [QUIET, QUIET, at(90), at(90)]
    const settings = { instrument: CONTRACT, futures: { funding: list } }
    expect(paid(runScript({ 0: enterShort() }, falling, settings))).toEqual([
      [2, '-0.09'],
      [2.5, '0.18'],
    ])
  })

  it('comes before what trades at the same moment', () => {
    const futures = { funding: list }
    const leaving = runScript({ 0: enterLong(), 1: exit() }, rows, { instrument: CONTRACT, futures })
    expect(paid(leaving)).toEqual([[2, '0.11']])
    const coming = runScript({ 1: enterLong() }, rows, { instrument: CONTRACT, futures })
    expect(paid(coming)).toEqual([[2.5, '-0.22']])
  })

  it('of the middle of a kline is owed by what is held after its open, whatever trades inside it', () => {
    const settings = { instrument: CONTRACT, futures: { funding: list } }
    const falling: Row[] = [QUIET, QUIET, [110, 110, 90, 100], QUIET]
    const leaving = runScript({ 0: enterLong({ stopLoss: 95 }) }, falling, settings)
    expect(contractFills(leaving)).toEqual(['1: buy 1 at 100', '2: sell 1 at 95'])
    expect(paid(leaving)).toEqual([
      [2, '0.11'],
      [2.5, '-0.22'],
    ])
    const coming = runScript({ 1: enterLong({ order: { type: 'limit', price: 95 } }) }, falling, settings)
    expect(contractFills(coming)).toEqual(['2: buy 1 at 95 maker'])
    expect(paid(coming)).toEqual([])
  })

  it('is paid on the hour, once, where the file notes ms or seconds beside it', () => {
    const time = Float64Array.of(3_600_047, 7_197_000, 7_200_002)
    const funding = recordedFunding(
      { length: 3, time, rate: Float64Array.of(0.001, 0.002, 0.002) },
      'rates.csv',
    )
    const minutes = Array<Row>(2 * HOUR_ROWS + 2).fill(QUIET)
    const settings = { instrument: CONTRACT, futures: { funding } }
    // Sold at the open of 2:00, after the settlement; bought at the open of 1:00, after that one.
    expect(paid(runScript({ 58: enterLong(), 119: exit() }, minutes, settings))).toEqual([
      [60, '0.1'],
      [120, '0.2'],
    ])
    expect(paid(runScript({ 59: enterLong(), 118: exit() }, minutes, settings))).toEqual([])
    expect(() =>
      recordedFunding({ length: 3, time, rate: Float64Array.of(0.001, 0.002, 0.003) }, 'rates.csv'),
    ).toThrow(
      'rates.csv has two funding rates, 0.002 and 0.003, for the settlement at 1970-01-01T02:00:00.000Z',
    )
    const between = recordedFunding(
      { length: 1, time: Float64Array.of(31_000), rate: Float64Array.of(0.1) },
      '',
    )
    expect(between).toMatchObject({ time: Float64Array.of(31_000) })
  })

  it('by a constant rate is settled on multiples of its hours', () => {
    const funding = { type: 'constant', rate: rateOf('0.0001'), intervalHours: 1 } as const
    const long = Array<Row>(2 * HOUR_ROWS + 2).fill(QUIET)
    const result = runScript({ 0: enterLong() }, long, { instrument: CONTRACT, futures: { funding } })
    expect(paid(result)).toEqual([
      [60, '0.01'],
      [120, '0.01'],
    ])
  })

  it('can bring an isolated position down', () => {
    const funding = { ...list, rate: Float64Array.of(0.1, 0) }
    const result = runScript({ 0: enterLong() }, rows, { instrument: CONTRACT, futures: { funding } })
    // 11 of a margin of 10 is paid at 110, where the profit of 10 still covers it; at 100 it would not.
    expect(contractFills(result)).toHaveLength(1)
    const lower = runScript({ 0: enterLong() }, [QUIET, QUIET, at(100), at(100)], {
      ...{ instrument: CONTRACT, futures: { funding } },
    })
    expect(contractFills(lower)[1]).toBe('2: sell 1 at 100 liquidated')
    expect(textOf(lower)).toBe('9990')
  })

  it.each([
    // 1 base at 100: a margin of 10, of which 2 are paid. 8 + P - 100 = 0.01 P at 92.929…
    ['isolated', '0.02', 92.92, ['2: sell 1 at 92.92 liquidated']],
    ['isolated', '0.02', 92.93, []],
    // 10 + P - 100 = 0.01 P at 90.909…
    ['isolated', '0', 92.92, []],
    // The whole wallet of 10,000 stands behind it.
    ['cross', '0.02', 92.92, []],
  ] as const)(
    'of an %s position at a rate of %s leaves a kline down to %d: %s',
    (marginMode, rate, low, after) => {
      const instrument = contractWith({ marginMode })
      const funding = { ...list, rate: Float64Array.of(Number(rate), 0) }
      const market: Row[] = [QUIET, QUIET, [100, 100, low, 95]]
      const result = runScript({ 0: enterLong() }, market, { instrument, futures: { funding } })
      expect(contractFills(result).slice(1)).toEqual(after)
    },
  )
})

describe('sizes', () => {
  it.each([
    [{ base: 1.7 }, 1.5],
    [{ quote: 260 }, 2.5],
    [{ equityFraction: 0.5 }, 50],
    [{ equityFraction: 5 }, 500],
    [{ riskFraction: 0.001 }, 2],
  ])('of %o are whole contracts, whatever the leverage', (size, base) => {
    const result = runScript({ 0: enterLong({ size, stopLoss: 95 }) }, [QUIET, QUIET], {
      instrument: CONTRACT,
    })
    expect(contractFills(result)).toEqual([`1: buy ${base} at 100`])
  })

  it('beyond what the margin backs are denied', () => {
    const script = { 0: enterLong({ size: { equityFraction: 10.1 } }) }
    const result = runScript(script, [QUIET, QUIET], { instrument: CONTRACT })
    expect(result.denials.map(({ rule }) => rule)).toEqual(['margin'])
    const bounds = { ...CONTRACT, leverage: { min: 1, max: 9 } }
    expect(runScript(script, [QUIET, QUIET], { instrument: bounds }).denials[0]?.rule).toBe('leverage')
  })

  it('fill as far as the margin reaches where the open is worse than the decision', () => {
    const script = { 0: enterLong({ size: { equityFraction: 10 } }) }
    const result = runScript(script, [QUIET, at(102)], { instrument: CONTRACT })
    // 10,000 × 10 ÷ 51 a contract.
    expect(contractFills(result)).toEqual(['1: buy 980 at 102'])
    expect(result.workingOrders).toBe(0)
  })

  it('turn a whole account around', () => {
    const instrument = contractWith({ leverage: 1 })
    const size = { equityFraction: 0.95 }
    const script = { 0: enterLong({ size }), 1: enterShort({ size }) }
    const result = runScript(script, [QUIET, QUIET, QUIET], { instrument })
    expect(contractFills(result)).toEqual(['1: buy 95 at 100', '2: sell 95 at 100', '2: sell 95 at 100'])
    expect(result.denials).toEqual([])
  })
})

describe('both sides of a contract', () => {
  const instrument = contractWith({ positionMode: 'twoWay', marginMode: 'cross' })

  it('are held and closed by themselves', () => {
    const seen: (readonly number[])[] = []
    const script = [
      [enterLong(), enterShort({ size: { base: 2 }, stopLoss: 110 })],
      undefined,
      exit({ direction: 'long' }),
      exit(),
    ]
    const strategy = defineStrategy({
      name: 'both',
      state: () => ({ row: 0 }),
      onKline: (_kline, { state, positions, position }) => {
        seen.push([positions.long.quantity, positions.short.quantity, position.quantity])
        return script[state.row++]
      },
    })
    const rows = [QUIET, at(100), at(105), at(105), at(104), at(104)]
    const result = run(strategy, rows, { instrument })
    expect(contractFills(result)).toEqual([
      '1: buy 1 at 100',
      '1: sell 2 at 100',
      '3: sell 1 at 105',
      '4: buy 2 at 104',
    ])
    expect(seen).toEqual([
      [0, 0, 0],
      [1, 2, 1],
      [1, 2, 1],
      [0, 2, 2],
      [0, 0, 0],
      [0, 0, 0],
    ])
    expect(textOf(result)).toBe('9997')
    expect(result.workingOrders).toBe(0)
  })

  it('are brought to a target by closing the other one', () => {
    const script = { 0: enterLong(), 1: targetPosition({ base: -2 }), 2: targetPosition({ base: -1 }) }
    const result = runScript(script, [QUIET, QUIET, QUIET, QUIET], { instrument })
    expect(contractFills(result)).toEqual([
      '1: buy 1 at 100',
      '2: sell 1 at 100',
      '2: sell 2 at 100',
      '3: buy 1 at 100',
    ])
    expect(result.openPositions.map(({ direction, book }) => [direction, book])).toEqual([
      ['short', 'BTC/USDT:short'],
    ])
  })
})

/** A random walk with wide klines, and entries now and then. */
const anyMarket = fc.record({
  steps: fc.array(fc.tuple(fc.integer({ min: -4, max: 4 }), fc.nat(5), fc.nat(5)), {
    minLength: 20,
    maxLength: 60,
  }),
  leverage: fc.integer({ min: 1, max: 40 }),
  marginMode: fc.constantFrom('cross' as const, 'isolated' as const),
  positionMode: fc.constantFrom('oneWay' as const, 'twoWay' as const),
  every: fc.integer({ min: 2, max: 9 }),
  rate: fc.integer({ min: -100, max: 100 }),
})

describe('a random futures account', () => {
  it('is the same whether quiet stretches are played at once or one by one, and adds up exactly', () => {
    let liquidated = 0
    fc.assert(
      fc.property(anyMarket, ({ steps, leverage, marginMode, positionMode, every, rate }) => {
        const instrument = contractWith({ leverage, marginMode, positionMode })
        let close = 100
        const rows = steps.map(([move, up, down]): Row => {
          const open = close
          close = Math.max(20, close + move)
          return [open, Math.max(open, close) + up, Math.max(1, Math.min(open, close) - down), close]
        })
        const funding = {
          type: 'list',
          length: rows.length,
          time: Float64Array.from(rows, (_, row) => row * 60_000 + (row % 3) * 10_000),
          rate: Float64Array.from(rows, () => rate / 100_000),
        } as const
        const strategy = defineStrategy({
          name: 'random',
          state: () => ({ row: 0 }),
          onKline: (_kline, { state }) => {
            const row = state.row++
            if (row % every !== 0 || row >= rows.length - 2) return undefined
            const size = { equityFraction: Math.min(leverage * 0.3, 3) }
            if (row % 4 === 3) return exit()
            return row % 2 === 0 ? enterLong({ size, scaleIn: true }) : enterShort({ size, stopLoss: 130 })
          },
        })
        const settings = { instrument, closeAtEnd: 'lastClose' } as const
        const calm = run(strategy, rows, { ...settings, futures: { funding } })
        const each = run(strategy, rows, { ...settings, futures: { funding, mark: klinesOf(rows) } })
        expect(each.fills).toEqual(calm.fills)
        expect(each.funding).toEqual(calm.funding)
        expect([...each.equity]).toEqual([...calm.equity])
        liquidated += calm.liquidations.length
        let expected = 10_000n * 10n ** 18n + (calm.margin?.borneLoss ?? 0n)
        for (const { pnl } of calm.roundTrips) expected += pnl
        for (const { amount } of calm.funding) expected -= amount
        expect(calm.openPositions).toEqual([])
        expect(calm.balances.get('USDT')).toBe(expected)
      }),
      { numRuns: 150, seed: 11 },
    )
    expect(liquidated).toBeGreaterThan(20)
  })
})

describe('leverage and fees', () => {
  const size = { equityFraction: 4.99 }
  const instrument = {
    ...contractWith({ leverage: 5 }),
    fees: { maker: rateOf('0.001'), taker: rateOf('0.001'), paidIn: 'quote' as const },
  }

  // With its fee inside, 49,900 buy 997 contracts of 50.
  it('bound an entry together: 49,850 need a margin of 9970 and a fee of 49.85', () => {
    const result = runScript({ 0: enterLong({ size }) }, [QUIET, QUIET], { instrument })
    expect(result.fills).toEqual([])
    expect([...result.denialCounts.values()].map(({ count }) => count)).toEqual([1])
  })

  it('let a target trade what fits: at most 995 contracts, which need 9950 and 49.75', () => {
    const { fills, denials } = runScript({ 0: targetPosition(size) }, [QUIET, QUIET], { instrument })
    expect(denials).toEqual([])
    expect(fills).toHaveLength(1)
    expect(fills[0]?.quantity).toBeLessThanOrEqual(995)
    expect(fills[0]?.quantity).toBeGreaterThan(985)
  })
})

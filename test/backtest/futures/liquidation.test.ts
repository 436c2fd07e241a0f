import { describe, expect, it } from 'vitest'
import type { PathPolicy } from '../../../backtest/models/fill-settings.ts'
import { amountOf, amountToText } from '../../../src/domain/numbers/amount.ts'
import { defineStrategy } from '../../../src/strategy/define-strategy.ts'
import { enterLong, enterShort } from '../../../src/strategy/index.ts'
import { klinesOf, QUIET, type Row, run, runScript } from '../kline-table.ts'
import { CONTRACT, contractFills, contractWith } from './contract-run.ts'

const LONG = { 0: enterLong() }
const SHORT = { 0: enterShort() }

/** What an account that bought (or sold) at 100 does on a kline that follows. */
function onKline(script: Parameters<typeof runScript>[0], row: Row, path: PathPolicy = 'pessimistic') {
  return runScript(script, [QUIET, QUIET, row, QUIET], { instrument: CONTRACT, fills: { path } })
}

const entered = (side: 'buy' | 'sell') => `1: ${side} 1 at 100`

describe('a liquidation inside a kline', () => {
  it.each([
    ['long', LONG, [100, 100, 90, 95], 'buy', '2: sell 1 at 90.9 liquidated'],
    ['short', SHORT, [100, 110, 100, 105], 'sell', '2: buy 1 at 108.92 liquidated'],
  ] as const)('comes at the first price that leaves too little, %s', (_, script, row, side, words) => {
    const result = onKline(script, row)
    expect(contractFills(result)).toEqual([entered(side), words])
    expect(result.roundTrips.map(({ exitReason, pnl }) => [exitReason, amountToText(pnl)])).toEqual([
      ['liquidation', '-10'],
    ])
    expect(amountToText(result.balances.get('USDT') ?? amountOf('0'))).toBe('9990')
    expect(result.equity[3]).toBe(9990)
    expect(result.ruined).toBe(false)
    expect(result.liquidations).toHaveLength(1)
  })

  it.each([
    ['short of it', [100, 100, 90.91, 95]],
    ['the other way', [100, 130, 100, 100]],
  ] as const)('does not come where the price stays %s', (_, row) => {
    expect(contractFills(onKline(LONG, row))).toEqual([entered('buy')])
  })

  // At leverage 20, one base bought at 106 is liquidated at 100.7 ÷ 0.99 = 101.71…, sold at 94 at 98.7 ÷ 1.01 = 97.72…:
  // both would be due at the open of 100, where nothing was held.
  it.each([
    ['long', enterLong, 106, [100, 110, 90, 105], ['2: buy 1 at 106', '2: sell 1 at 101.71 liquidated']],
    ['short', enterShort, 94, [100, 110, 90, 95], ['2: sell 1 at 94', '2: buy 1 at 97.73 liquidated']],
  ] as const)(
    'is counted from where the position was opened inside the kline, %s',
    (_, enter, stopPrice, row, fills) => {
      const script = { 1: enter({ order: { type: 'stop', stopPrice } }) }
      const played = (path: PathPolicy) => {
        const instrument = contractWith({ leverage: 20 })
        return contractFills(runScript(script, [QUIET, QUIET, row], { instrument, fills: { path } }))
      }
      const [liquidating, sparing] =
        enter === enterLong ? (['ohlc', 'olhc'] as const) : (['olhc', 'ohlc'] as const)
      expect(played(liquidating)).toEqual(fills)
      expect(played('pessimistic')).toEqual(fills)
      // Optimistic is left out: its choice of a path does not foresee the liquidation of contracts that are still to be bought.
      expect(played(sparing)).toEqual(fills.slice(0, 1))
    },
  )

  it.each([
    ['before it', 95, '2: sell 1 at 95'],
    ['one tick before it', 90.91, '2: sell 1 at 90.91'],
    ['at it', 90.9, '2: sell 1 at 90.9 liquidated'],
    ['beyond it', 85, '2: sell 1 at 90.9 liquidated'],
  ] as const)('comes after a stop-loss that lies %s', (_, stopLoss, words) => {
    for (const path of ['pessimistic', 'optimistic', 'ohlc', 'olhc'] as const) {
      const result = onKline({ 0: enterLong({ stopLoss }) }, [100, 100, 80, 95], path)
      expect(contractFills(result)).toEqual([entered('buy'), words])
      expect(result.workingOrders).toBe(0)
      expect(result.ambiguousRoundTrips).toEqual([])
    }
  })

  it.each([
    ['pessimistic', '2: sell 1 at 90.9 liquidated'],
    ['olhc', '2: sell 1 at 90.9 liquidated'],
    ['optimistic', '2: sell 1 at 105'],
    ['ohlc', '2: sell 1 at 105'],
  ] as const)('or a take-profit comes first as the path is assumed, %s', (path, words) => {
    const result = onKline({ 0: enterLong({ takeProfit: 105 }) }, [100, 106, 90, 95], path)
    expect(contractFills(result)).toEqual([entered('buy'), words])
    expect(result.ambiguousRoundTrips).toEqual([0])
  })

  it('is ambiguous, by rules that do not look at the path, where the position was opened on the same kline', () => {
    const script = { 1: enterLong({ order: { type: 'stop', stopPrice: 106 } }) }
    const instrument = contractWith({ leverage: 20 })
    const settings = { instrument, fills: { stopLossFirst: 'always' } } as const
    const result = runScript(script, [QUIET, QUIET, [100, 110, 90, 105]], settings)
    // Such rules look from the open of 100, where the margin of 5.3 is lost: no price below 100.7 counts.
    expect(contractFills(result)).toEqual(['2: buy 1 at 106', '2: sell 1 at 100.7 liquidated'])
    expect(result.ambiguousRoundTrips).toEqual([0])
  })

  it('is seen by the finer klines of the path detail, which tell what came first', () => {
    const coarse = {
      ...klinesOf([QUIET, [100, 106, 90, 95], QUIET]),
      openTime: Float64Array.of(0, 300_000, 600_000),
    }
    const calm = Array<Row>(4).fill(QUIET)
    const rise: Row = [100, 106, 100, 100]
    const fall: Row = [100, 100, 90, 95]
    for (const [parts, words] of [
      [[rise, fall], '6: sell 1 at 105'],
      [[fall, rise], '6: sell 1 at 90.9 liquidated'],
    ] as const) {
      const finer = klinesOf([...calm, QUIET, QUIET, ...parts, ...calm, ...calm])
      const result = runScript({ 0: enterLong({ takeProfit: 105 }) }, [], {
        ...{ instrument: CONTRACT, interval: '5m', klines: coarse, fills: { path: 'detail' } },
        detail: { klines: finer, interval: '1m' },
      })
      expect(contractFills(result)).toEqual(['5: buy 1 at 100', words])
    }
  })
})

describe('a liquidation at an open', () => {
  it.each([
    ['between stop-loss and liquidation, stops', [93, 93, 93, 93], '2: sell 1 at 93'],
    ['beyond the liquidation, liquidates', [90.5, 90.5, 90.5, 90.5], '2: sell 1 at 90.5 liquidated'],
    ['beyond all the margin, costs no more than it', [80, 80, 80, 80], '2: sell 1 at 90 liquidated'],
  ] as const)('that gaps %s', (_, row, words) => {
    const result = onKline({ 0: enterLong({ stopLoss: 95 }) }, row)
    expect(contractFills(result)).toEqual([entered('buy'), words])
    expect(result.ambiguousRoundTrips).toEqual([])
  })

  it('comes before an exit that waits for it', () => {
    const script = { 0: enterLong(), 1: { type: 'exit' } as const }
    const result = onKline(script, [89, 89, 89, 89])
    expect(contractFills(result)).toEqual([entered('buy'), '2: sell 1 at 90 liquidated'])
    expect(result.workingOrders).toBe(0)
  })
})

describe('after a liquidation', () => {
  it('an isolated account goes on with what is left, and the strategy was told', () => {
    const told: string[] = []
    const strategy = defineStrategy({
      name: 'again',
      onKline: (_kline, { position }) => (position.direction === 'flat' ? enterLong() : undefined),
      onFill: ({ purpose, price }) => {
        told.push(`${purpose} ${price}`)
        return undefined
      },
    })
    const result = run(strategy, [QUIET, QUIET, [100, 100, 90, 100], QUIET], { instrument: CONTRACT })
    expect(told).toEqual(['entry 100', 'liquidation 90.9', 'entry 100'])
    expect(contractFills(result)).toHaveLength(3)
    expect(result.equity[3]).toBe(9990)
  })

  it('a cross account has lost everything, and stops', () => {
    // Bought 20 × its money: 2,000 at 100; kept 1%: (2000 − 100) ÷ (20 × 0.99) = 95.959…
    const instrument = contractWith({ marginMode: 'cross', leverage: 50 })
    const script = { 0: enterLong({ size: { base: 20 } }), 3: enterLong() }
    const rows: readonly Row[] = [QUIET, QUIET, [100, 100, 95.95, 99], QUIET, QUIET]
    const result = runScript(script, rows, { instrument, quote: '100' })
    expect(contractFills(result)).toEqual(['1: buy 20 at 100', '2: sell 20 at 95.95 liquidated'])
    expect(result.ruined).toBe(true)
    expect([...result.equity]).toEqual([100, 100, 0, 0, 0])
    expect(result.denials).toEqual([])
  })

  it('a cross account survives on its wallet where an isolated one does not', () => {
    const instrument = contractWith({ marginMode: 'cross' })
    const result = runScript(LONG, [QUIET, QUIET, [100, 100, 50, 95], QUIET], { instrument })
    expect(contractFills(result)).toEqual([entered('buy')])
    expect(result.equity[3]).toBe(10_000)
  })
})

describe('the mark price', () => {
  const traded: readonly Row[] = [QUIET, QUIET, [100, 100, 80, 100], QUIET]
  const calm: readonly Row[] = [QUIET, QUIET, [100, 100, 95, 97], [97, 97, 97, 97]]

  it('of its own klines decides, not the price that is traded at', () => {
    const mark = klinesOf(calm)
    const safe = runScript(LONG, traded, { instrument: CONTRACT, futures: { mark } })
    expect(contractFills(safe)).toEqual([entered('buy')])
    // Marked at 97.
    expect([...safe.equity]).toEqual([10_000, 10_000, 9997, 9997])
    const due = runScript(LONG, calm, { instrument: CONTRACT, futures: { mark: klinesOf(traded) } })
    expect(contractFills(due)).toEqual([entered('buy'), '2: sell 1 at 90.9 liquidated'])
  })

  it('moves beside the price, as far between its extremes as the price is between its own', () => {
    // Marked at 90.9 where the price is at 91.8, between 90 and 110 instead of 91 and 109: above a stop-loss at 91.5, below one
    // at 92.
    const rows: Row[] = [QUIET, QUIET, [100, 109, 91, 100], QUIET]
    const mark = klinesOf([QUIET, QUIET, [100, 110, 90, 100], QUIET])
    const settings = { instrument: CONTRACT, futures: { mark } }
    for (const [stopLoss, words] of [
      [91.5, '2: sell 1 at 90.9 liquidated'],
      [92, '2: sell 1 at 92'],
    ] as const)
      expect(contractFills(runScript({ 0: enterLong({ stopLoss }) }, rows, settings))[1]).toBe(words)
  })

  it('that stands still liquidates nothing, wherever the price goes', () => {
    const rows: Row[] = [QUIET, QUIET, [100, 106, 80, 100], QUIET]
    const mark = klinesOf([QUIET, QUIET, QUIET, QUIET])
    const script = { 0: enterLong({ takeProfit: 105 }) }
    for (const path of ['pessimistic', 'optimistic', 'ohlc', 'olhc'] as const) {
      const result = runScript(script, rows, { instrument: CONTRACT, fills: { path }, futures: { mark } })
      expect(contractFills(result)).toEqual([entered('buy'), '2: sell 1 at 105'])
    }
  })

  it('must be there for every kline', () => {
    const futures = { mark: klinesOf(calm.slice(0, 3)) }
    expect(() => runScript(LONG, traded, { instrument: CONTRACT, futures })).toThrow(
      'The klines of the mark price have none at 1970-01-01T00:03:00.000Z',
    )
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import type { OrderWish } from '../../../src/domain/signal.ts'
import { enterLong, enterShort } from '../../../src/strategy/index.ts'
import { QUIET, type Row, runScript } from '../kline-table.ts'

const PATHS = ['pessimistic', 'optimistic', 'ohlc', 'olhc'] as const

const anyPrice = fc.integer({ min: 92, max: 108 })
const anyRow = fc
  .tuple(anyPrice, anyPrice, anyPrice, anyPrice)
  .map(
    ([open, close, one, other]): Row => [
      open,
      Math.max(open, close, one, other),
      Math.min(open, close, one, other),
      close,
    ],
  )
const anyEntry = fc.oneof(
  fc.constant<OrderWish>({ type: 'market' }),
  anyPrice.map((price): OrderWish => ({ type: 'limit', price })),
  anyPrice.map((stopPrice): OrderWish => ({ type: 'stop', stopPrice, triggerAtOnce: true })),
)
const anyFraction = fc.option(
  fc.integer({ min: 1, max: 8 }).map(percent => ({ fraction: percent / 100 })),
  { nil: undefined },
)
const anyRun = fc.record({
  row: anyRow,
  order: anyEntry,
  enter: fc.constantFrom(enterLong, enterShort),
  stopLoss: anyFraction,
  takeProfit: anyFraction,
  trailingStop: anyFraction,
  limitFill: fc.constantFrom('touch', 'through'),
} as const)
type Run = typeof anyRun extends fc.Arbitrary<infer Value> ? Value : never

/** One entry with its protection on one kline, marked at its close, by each path. */
function byPath({ row, order, enter, limitFill, ...given }: Run): readonly BacktestResult[] {
  const { stopLoss, takeProfit, trailingStop } = given
  const signal = enter({
    order,
    ...(stopLoss && { stopLoss }),
    ...(takeProfit && { takeProfit }),
    ...(trailingStop && { trailingStop }),
  })
  return PATHS.map(path =>
    runScript({ 0: signal }, [QUIET, row], { fills: { path, limitFill }, closeAtEnd: 'lastClose' }),
  )
}

const equityOf = (result: BacktestResult | undefined) => result?.equity.at(-1) ?? Number.NaN

describe('one bracket on one kline', () => {
  it('ends between the pessimistic and the optimistic outcome by any straight path', () => {
    let differing = 0
    fc.assert(
      fc.property(anyRun, run => {
        const [worst, best, ...straight] = byPath({ ...run, trailingStop: undefined })
        for (const result of straight) {
          expect(equityOf(result)).toBeGreaterThanOrEqual(equityOf(worst))
          expect(equityOf(result)).toBeLessThanOrEqual(equityOf(best))
        }
        if (equityOf(worst) < equityOf(best)) differing++
      }),
      { numRuns: 1000 },
    )
    expect(differing).toBeGreaterThan(50)
  })

  it('that is not counted as ambiguous ends the same by all paths', () => {
    let [certain, ambiguous] = [0, 0]
    fc.assert(
      fc.property(anyRun, run => {
        const results = byPath(run)
        if (results.every(result => result.ambiguousRoundTrips.length > 0)) ambiguous++
        else {
          expect(new Set(results.map(equityOf)).size).toBe(1)
          if ((results[0]?.roundTrips.length ?? 0) > 0) certain++
        }
      }),
      { numRuns: 1000 },
    )
    expect(certain).toBeGreaterThan(100)
    expect(ambiguous).toBeGreaterThan(100)
  })
})

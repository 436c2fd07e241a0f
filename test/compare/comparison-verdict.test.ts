import { describe, expect, it } from 'vitest'
import { comparisonVerdictOf, type FilledOrders } from '../../src/compare/comparison-verdict.ts'
import { DIFFERENCE_PARTS, type DifferencePart } from '../../src/compare/difference-part.ts'
import type { PredictedResult } from '../../src/compare/predicted-result.ts'
import { type Amount, amountFromNumber } from '../../src/domain/numbers/amount.ts'

/** Ten orders that both runs filled. */
const SAME: FilledOrders = { live: 10, onlyLive: 0, backtest: 10, onlyBacktest: 0 }

/** The verdict of parts that add up to the difference, with a bound of 0.1%. */
function verdict(
  live: number,
  backtest: number,
  given: Partial<Record<DifferencePart, number>>,
  filled: FilledOrders = SAME,
  predicted?: PredictedResult,
) {
  const parts = Object.fromEntries(
    DIFFERENCE_PARTS.map(part => [part, amountFromNumber(given[part] ?? 0)]),
  ) as Record<DifferencePart, Amount>
  const difference = Object.values(parts).reduce((sum, amount) => sum + amount, 0n) as Amount
  const turnover = { live: amountFromNumber(live), backtest: amountFromNumber(backtest) }
  const figures = { turnover, difference, parts, boundRate: 0.001, filled, predicted, isAllLeftOut: false }
  return comparisonVerdictOf(figures)
}

describe('the verdict of a comparison', () => {
  it('holds the difference against what live turned over, not against what only the backtest did', () => {
    // 0.1% of 6000 are 6, of 10,000 are 10.
    expect(verdict(6000, 10_000, { spread: -6 })).toBe('asPromised')
    expect(verdict(6000, 10_000, { spread: -6.01 })).toBe('differs')
    expect(verdict(6000, 10_000, { spread: 6.01 })).toBe('differs')
  })

  it('takes out what commands of the operator explain', () => {
    expect(verdict(6000, 10_000, { spread: -5, operator: -400 })).toBe('asPromised')
    expect(verdict(6000, 10_000, { spread: -7, operator: 7 })).toBe('differs')
  })

  it('cannot tell where live turned over less than half of what the backtest did', () => {
    // A bot that was paused for most of its span.
    expect(verdict(1995.67, 6990.27, { spread: 0.4, operator: 6.48 })).toBe('cannotTell')
    expect(verdict(0, 6990.27, { operator: 6.48 })).toBe('cannotTell')
    expect(verdict(5000, 10_000, {})).toBe('asPromised')
    expect(verdict(4999.99, 10_000, {})).toBe('cannotTell')
  })

  it('never says promised where most orders of either run were filled in that run alone, however much was turned over', () => {
    // As a bot whose backtest filled nothing: 656.65 are less than 0.1% of 881,423.
    const alone = { live: 295, onlyLive: 295, backtest: 0, onlyBacktest: 0 }
    expect(verdict(881_423, 0, { changedStrategy: -656.65 }, alone)).toBe('differs')
    expect(verdict(6000, 6000, {}, { ...SAME, onlyLive: 6 })).toBe('differs')
    expect(verdict(6000, 6000, {}, { ...SAME, onlyBacktest: 6 })).toBe('differs')
    expect(verdict(6000, 6000, {}, { ...SAME, onlyLive: 5, onlyBacktest: 5 })).toBe('asPromised')
    // A bot that was paused: its own few orders are those of the backtest.
    const paused = { live: 3, onlyLive: 0, backtest: 10, onlyBacktest: 7 }
    expect(verdict(2000, 7000, {}, paused)).toBe('cannotTell')
  })

  it('does not say promised where round trips earn less than the backtest predicts, however small that is of the turnover', () => {
    const trips = { lower: -2, upper: -1, trips: 9, liveTrips: 9 }
    const [inside, less, more] = [-1.5, -2.01, -0.99].map(live => ({
      ...trips,
      live,
      isInside: live === -1.5,
    }))
    expect(verdict(6000, 6000, { fees: -5 }, SAME, inside)).toBe('asPromised')
    expect(verdict(6000, 6000, { fees: -5 }, SAME, less)).toBe('differs')
    expect(verdict(6000, 6000, { fees: 5 }, SAME, more)).toBe('asPromised')
    expect(verdict(2000, 6000, { fees: -1 }, SAME, less)).toBe('cannotTell')
  })

  it('names a defect and a difference beyond the bound also where little was traded, and nothing as nothing', () => {
    expect(verdict(100, 10_000, { unexplained: 0.01 })).toBe('unexplained')
    expect(verdict(100, 10_000, { held: -5 })).toBe('differs')
    expect(verdict(0, 0, {})).toBe('nothingYet')
  })
})

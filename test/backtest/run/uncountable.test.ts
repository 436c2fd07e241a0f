import { describe, expect, it } from 'vitest'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { steps, ticks, UNLIMITED_QUANTITY } from '../../../src/domain/numbers/grid.ts'
import { targetPosition } from '../../../src/strategy/index.ts'
import { SPOT } from '../../engine/engine-session.ts'
import { type Row, runScript } from '../kline-table.ts'

/** Prices in 10^-8, quantities in 10^-5: 10,000 USDT at 0.00000010 are 10^16 steps, and 2^53 are some 9 × 10^15. */
const TINY = {
  ...SPOT,
  pricePrecision: 8,
  quantityPrecision: 5,
  minPrice: ticks(1),
  minQuantity: steps(1),
  maxQuantity: UNLIMITED_QUANTITY,
  minNotional: amountOf('5'),
}
const AT = (price: number): Row => [price, price, price, price]

function playedAt(price: number, fractions: readonly number[]) {
  const script = Object.fromEntries(
    fractions.map((equityFraction, row) => [row, targetPosition({ equityFraction })]),
  )
  return runScript(
    script,
    [...fractions, 0].map(() => AT(price)),
    { instrument: TINY },
  )
}

describe('a backtest at prices so small that its quantities have more steps than can be counted', () => {
  it('denies a target beyond them, and names the key that makes steps larger', () => {
    const { fills, denialCounts } = playedAt(0.0000001, [0.95])
    expect(fills).toEqual([])
    expect([...denialCounts.keys()]).toEqual(['maximumVolume'])
    expect(denialCounts.get('maximumVolume')?.first).toContain('quantityPrecision')
  })

  it('denies more of a position that would come to too many, and goes on with what it has', () => {
    // Of 10,000 USDT at 0.00000010, 0.6 are 6 × 10^15 steps; 0.92 are 9.2 × 10^15.
    const { fills, denialCounts, openPositions } = playedAt(0.0000001, [0.6, 0.92, 0.3])
    expect(fills.map(({ side }) => side)).toEqual(['buy', 'sell'])
    expect([...denialCounts].map(([rule, { count }]) => [rule, count])).toEqual([['maximumVolume', 1]])
    expect(openPositions).toHaveLength(1)
  })
})

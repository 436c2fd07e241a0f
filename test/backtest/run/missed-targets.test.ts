import { describe, expect, it } from 'vitest'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { steps } from '../../../src/domain/numbers/grid.ts'
import type { PlainSize } from '../../../src/domain/signal.ts'
import { targetPosition } from '../../../src/strategy/index.ts'
import { MARGIN, SPOT } from '../../engine/engine-session.ts'
import { fillWords, type Row, runScript } from '../kline-table.ts'

/** Plays targets, one a kline, at a price that never moves, from 10,000 USDT. */
function played(instrument: Instrument, price: number, sizes: readonly PlainSize[]) {
  const row: Row = [price, price, price, price]
  const script = Object.fromEntries(sizes.map((size, index) => [index, targetPosition(size)]))
  const result = runScript(
    script,
    [...sizes, 0].map(() => row),
    { instrument },
  )
  const { denials } = result
  return { fills: fillWords(result, instrument), told: denials.map(({ rule, message }) => [rule, message]) }
}

/** 10,000 USDT in quantities of 0.001. */
const LEAST_OF_20 = steps(20_000)
const LEAST_OF_6500 = { ...MARGIN, minNotional: amountOf('6500') }

describe('a target that no order is large enough for', () => {
  it('is told as a denial where a large change is left out', () => {
    const sizes = [{ equityFraction: 0.8 }, { equityFraction: 0.3 }]
    const { fills, told } = played(LEAST_OF_6500, 100, sizes)
    expect(fills).toEqual(['1: buy 80 at 100 taker'])
    // From 80 to 30 of them.
    expect(told).toEqual([
      [
        'minimumNotional',
        'The position in BTC/USDT misses its target by 50.000 BTC, worth 5000 USDT: the smallest order is 6500 USDT, so that it stays as it is.',
      ],
    ])
  })

  it('is told where the least quantity is too much for it', () => {
    const instrument = { ...MARGIN, minQuantity: LEAST_OF_20 }
    expect(played(instrument, 100, [{ base: 30 }, { base: 15 }]).told).toEqual([
      [
        'minimumVolume',
        'The position in BTC/USDT misses its target by 15.000 BTC, worth 1500 USDT: the smallest order is 20.000 BTC, so that it stays as it is.',
      ],
    ])
  })

  it('is left alone without a word where little is missing', () => {
    // 0.8 to 0.76 is 4% of the equity.
    const { fills, told } = played(LEAST_OF_6500, 100, [{ equityFraction: 0.8 }, { equityFraction: 0.76 }])
    expect([fills.length, told]).toEqual([1, []])
  })

  it('is left alone where a step is too much for it, which the report says', () => {
    expect(played(MARGIN, 20_000_000, [{ equityFraction: 0.8 }])).toEqual({ fills: [], told: [] })
  })
})

describe('a target that no money is left for', () => {
  const instrument = { ...SPOT, minNotional: amountOf('20') }

  it('is left alone where little is missing, and denied where much is', () => {
    // 99.5 and the fee of a thousandth leave some 40 USDT; then 39 of these are spent, and no order of 20 fits.
    const small = played(instrument, 100, [{ base: 99.5 }, { base: 101 }, { base: 101.5 }])
    expect(small.told).toEqual([])
    const large = played(instrument, 100, [{ base: 99.5 }, { base: 101 }, { base: 120 }])
    expect(large.told.map(([rule]) => rule)).toEqual(['balance'])
    expect(large.fills).toEqual(small.fills)
    expect(large.fills).toHaveLength(2)
  })
})

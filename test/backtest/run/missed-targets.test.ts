import { describe, expect, it } from 'vitest'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { amountOf, amountToText } from '../../../src/domain/numbers/amount.ts'
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
  const { denials, missedTargets } = result
  const coarse = missedTargets.map(({ count, first: { symbol, missing, time } }) => [
    ...[symbol, count, amountToText(missing), time / 60_000],
  ])
  const told = denials.map(({ rule, message }) => [rule, message])
  return { fills: fillWords(result, instrument), told, coarse }
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
})

describe('a target that a step is too coarse for', () => {
  it('is counted where less than a step is missing from flat, without a denial', () => {
    // A step of 0.001 is worth 20,000 USDT, of which 8,000 are wanted: 0.0004.
    const { fills, told, coarse } = played(MARGIN, 20_000_000, [
      { equityFraction: 0.8 },
      { equityFraction: 0.8 },
    ])
    expect([fills, told]).toEqual([[], []])
    expect(coarse).toEqual([['BTC/USDT', 2, '0.0004', 1]])
  })

  it('is counted at the order that comes nearest, and at each repetition', () => {
    // 0.001 is worth 3,000 USDT: of 7,800, 2 steps are bought, and 1,800 stay missing.
    const { fills, told, coarse } = played(MARGIN, 3_000_000, [
      { base: 0.0026 },
      { base: 0.0026 },
      { quote: 7_800 },
      { base: 0.0021 },
    ])
    expect([fills, told]).toEqual([['1: buy 0.002 at 3000000 taker'], []])
    // The last one misses 0.0001, worth 300 USDT, less than a twentieth of 10,000.
    expect(coarse).toEqual([['BTC/USDT', 3, '0.0006', 1]])
  })

  it('is not counted where the smallest order is what is too large', () => {
    expect(played(LEAST_OF_6500, 100, [{ equityFraction: 0.8 }, { equityFraction: 0.3 }]).coarse).toEqual([])
  })

  it('is not counted where the target is reached as nearly as a twentieth of equity', () => {
    // A step is worth 500 USDT: less than one is never more than a twentieth of 10,000.
    const sizes = [{ equityFraction: 0.8 }, { equityFraction: 0.77 }, { equityFraction: 0.03 }]
    expect(played(MARGIN, 500_000, sizes).coarse).toEqual([])
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

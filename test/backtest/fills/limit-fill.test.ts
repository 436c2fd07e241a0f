import { describe, expect, it } from 'vitest'
import type { FillSettings } from '../../../backtest/models/fill-settings.ts'
import { enterLong, enterShort } from '../../../src/strategy/index.ts'
import { fillWords, QUIET, type Row, runScript } from '../kline-table.ts'

const bid = (price: number) => enterLong({ order: { type: 'limit', price } })
const offer = (price: number) => enterShort({ order: { type: 'limit', price } })
const touch = { limitFill: 'touch' } as const
const atOpen = { gappedLimit: 'atOpen' } as const

describe('a resting limit order', () => {
  const table: readonly (readonly [string, Partial<FillSettings>, Row, string | undefined])[] = [
    ['stays open when the low only touches its price', {}, [100, 101, 98, 99], undefined],
    ['fills when the price trades one tick through it', {}, [100, 101, 97.99, 99], '98 maker'],
    ['fills on a touch where the settings say so', touch, [100, 101, 98, 99], '98 maker'],
    ['does not fill short of its price', touch, [100, 101, 98.01, 99], undefined],
    ['fills at its own price when the open gapped over it', {}, [95, 96, 94, 95], '98 maker'],
    ['fills at the open where the settings say so', atOpen, [95, 96, 94, 95], '95 maker'],
    [
      'fills at its price when only the inside of the kline passes it',
      atOpen,
      [100, 101, 94, 95],
      '98 maker',
    ],
    ['stays open when the open is its price and nothing lies beyond', {}, [98, 99, 98, 99], undefined],
    ['fills at the open that is its price, on a touch', touch, [98, 99, 98, 99], '98 maker'],
    ['pays no slippage', { slippageRate: 0.01, slippageTicks: 5 }, [100, 101, 97, 99], '98 maker'],
  ]
  it.each(table)('%s', (_name, fills, row, expected) => {
    const rows = [QUIET, QUIET, row]
    const words = expected === undefined ? [] : [`2: buy 1 at ${expected}`]
    expect(fillWords(runScript({ 0: bid(98) }, rows, { fills }))).toEqual(words)
    // The mirror image: prices reflected at 100, a sell at 102.
    const mirrored = rows.map(
      ([open, high, low, close]): Row => [200 - open, 200 - low, 200 - high, 200 - close],
    )
    const mirroredWords = words.map(word =>
      word.replace('buy', 'sell').replace(/98|95/, price => `${200 - Number(price)}`),
    )
    expect(fillWords(runScript({ 0: offer(102) }, mirrored, { fills }))).toEqual(mirroredWords)
  })
})

describe('a new limit order', () => {
  const NEXT: Row = [103, 104, 102, 103]
  const table: readonly (readonly [string, number, Partial<FillSettings>, string | undefined])[] = [
    ['that the open has passed takes from the book at the open', 105, {}, '103 taker'],
    // 103 × 1.001 = 103.103
    ['pays slippage when it takes', 105, { slippageRate: 0.001 }, '103.11 taker'],
    ['never pays more than its price', 103.05, { slippageRate: 0.001 }, '103.05 taker'],
    ['at the open itself rests, and fills when the price goes on', 103, {}, '103 maker'],
    ['at the low rests and is not filled', 102, {}, undefined],
  ]
  it.each(table)('%s', (_name, price, fills, expected) => {
    const words = expected === undefined ? [] : [`1: buy 1 at ${expected}`]
    expect(fillWords(runScript({ 0: bid(price) }, [QUIET, NEXT], { fills }))).toEqual(words)
  })

  it('to sell takes at the open as well', () => {
    // 103 × 0.999 = 102.897
    const result = runScript({ 0: offer(101) }, [QUIET, NEXT], { fills: { slippageRate: 0.001 } })
    expect(fillWords(result)).toEqual(['1: sell 1 at 102.89 taker'])
  })
})

import { describe, expect, it } from 'vitest'
import type { Signal } from '../../../src/domain/signal.ts'
import { enterLong, enterShort, protect } from '../../../src/strategy/index.ts'
import { fillWords, QUIET, type Row, runScript } from '../kline-table.ts'

/** Flat klines, one at each price. */
function flat(prices: readonly number[]): readonly Row[] {
  return prices.map(price => [price, price, price, price] as const)
}

const mirrored = ([open, high, low, close]: Row): Row => [200 - open, 200 - low, 200 - high, 200 - close]

type Script = Readonly<Record<number, Signal | readonly Signal[]>>

/** What leaves a long position of 1, by row and price. */
const exitOf = (script: Script, rows: readonly Row[]) => fillWords(runScript(script, rows))[1]

describe('a trailing stop that protect moves', () => {
  const prices = [100, 100, 103, 106, 109, 107.5, 106, 104.5, 103, 101.5, 100, 98.5, 97]

  it('follows the best price since the entry, however often it is moved', () => {
    const moves = prices.map(
      (_, row) => [row, protect({ trailingStop: { distance: 5 + 0.01 * row } })] as const,
    )
    const script = { ...Object.fromEntries(moves), 0: enterLong({ trailingStop: { distance: 5 } }) }
    // The best is 109; as of row 7 it stands 5.07 behind, at 103.93: the open of row 8 is 103.
    expect(exitOf(script, flat(prices))).toBe('8: sell 1 at 103 taker')
  })

  it.each(['long', 'short'] as const)(
    'closes a %s position at once where it is moved beyond the market',
    direction => {
      const rows: readonly Row[] = [
        QUIET,
        [100, 101, 100, 101],
        // Best 110; 10% behind it are 99. 2% behind it are 107.8, above the close of 107.
        [101, 110, 101, 107],
        [107, 107, 106.9, 107],
        [107, 107, 107, 107],
      ]
      const isLong = direction === 'long'
      const enter = isLong ? enterLong : enterShort
      const script = {
        0: enter({ trailingStop: { distance: 11 } }),
        2: protect({ trailingStop: { distance: 2.2 } }),
      }
      const side = isLong ? 'sell 1 at 107' : 'buy 1 at 93'
      expect(exitOf(script, isLong ? rows : rows.map(mirrored))).toBe(`3: ${side} taker`)
    },
  )

  it('stands at its callback rate of the best price', () => {
    const rows: readonly Row[] = [
      QUIET,
      [100, 110, 100, 109],
      [109, 109, 107.81, 108],
      [108, 108, 107.5, 108],
    ]
    const script = {
      0: enterLong({ trailingStop: { callbackRate: 0.1 } }),
      1: protect({ trailingStop: { callbackRate: 0.02 } }),
    }
    // 2% of 110 behind it: 107.8
    expect(exitOf(script, rows)).toBe('3: sell 1 at 107.8 taker')
  })

  it('knows the best price also where there was no trailing stop before', () => {
    const rows = flat([100, 100, 110, 108, 107.5, 106.9])
    // From 109 on, which the price has been at: 110 - 3 = 107.
    const script = { 0: enterLong(), 3: protect({ trailingStop: { distance: 3, activation: 109 } }) }
    expect(exitOf(script, rows)).toBe('5: sell 1 at 106.9 taker')
  })

  it('does not know what the kline of its entry did before that', () => {
    const rows: readonly Row[] = [QUIET, [100, 120, 94, 96], ...flat([96, 97, 96, 94, 93.9])]
    const script = {
      0: enterLong({ order: { type: 'limit', price: 95 } }),
      2: protect({ trailingStop: { distance: 3 } }),
    }
    // The best since the entry is the open of 97: 97 - 3 = 94, not 120 - 3.
    expect(exitOf(script, rows)).toBe('5: sell 1 at 94 taker')
  })

  it('starts anew for the next position', () => {
    const rows = flat([100, 100, 130, 130, 100, 100, 98, 96.9])
    const script = {
      0: enterLong(),
      2: { type: 'exit' } as const,
      4: enterLong(),
      5: protect({ trailingStop: { distance: 3 } }),
    }
    expect(fillWords(runScript(script, rows))[3]).toBe('7: sell 1 at 96.9 taker')
  })
})

import { expect, it } from 'vitest'
import { HiddenFuture } from '../../../backtest/validation/causality/hidden-future.ts'
import { klinesOf, type Row } from '../kline-table.ts'

const MINUTE = 60_000
const rows: Row[] = [
  [100, 110, 90, 105],
  [105, 120, 100, 120],
  [120, 125, 115, 118],
]
const seen = (hiding: 'absent' | 'mirrored', reveal: (hidden: HiddenFuture) => void) => {
  const hidden = new HiddenFuture(hiding)
  const { open, high, low, close, openTime } = hidden.hide(klinesOf(rows), '1m')
  reveal(hidden)
  return openTime.length === 3 && Array.from(open, (price, row) => [price, high[row], low[row], close[row]])
}

it('shows a kline once it has closed, and the open of one that has begun', () => {
  const none = [Number.NaN, Number.NaN, Number.NaN, Number.NaN]
  expect(seen('absent', hidden => hidden.closing(MINUTE))).toEqual([rows[0], none, none])
  expect(
    seen('absent', hidden => {
      hidden.closing(MINUTE)
      hidden.opening(MINUTE)
    }),
  ).toEqual([rows[0], [105, Number.NaN, Number.NaN, Number.NaN], none])
  expect(seen('absent', hidden => hidden.closing(3 * MINUTE))).toEqual(rows)
})

it('mirrors what comes at the close before it', () => {
  const shown = seen('mirrored', hidden => hidden.closing(MINUTE))
  const mirrored = (before: number, ...prices: number[]) => prices.map(price => before ** 2 / price)
  // High and low change places.
  expect(shown).toEqual([rows[0], mirrored(105, 105, 100, 120, 120), mirrored(120, 120, 115, 125, 118)])
})

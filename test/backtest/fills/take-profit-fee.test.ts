import { describe, expect, it } from 'vitest'
import type { FillSettings } from '../../../backtest/models/fill-settings.ts'
import { amountToText, rateOf } from '../../../src/domain/numbers/amount.ts'
import type { Signal } from '../../../src/domain/signal.ts'
import { enterLong, enterShort, exit } from '../../../src/strategy/index.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { QUIET, type Row, runScript } from '../kline-table.ts'

const FEES = { maker: rateOf('0.0002'), taker: rateOf('0.0005'), paidIn: 'quote' } as const
const INSTRUMENT = { ...MARGIN, fees: FEES }
const INSIDE: Row = [100, 111, 99, 105]
const GAP: Row = [112, 113, 111, 112]

/** Price, liquidity and fee of the last fill. */
function lastFill(
  script: Readonly<Record<number, Signal>>,
  rows: readonly Row[],
  fills: Partial<FillSettings> = {},
): string | undefined {
  const last = runScript(script, rows, { instrument: INSTRUMENT, fills }).fills.at(-1)
  return last && `${last.price / 100} ${last.liquidity} ${amountToText(last.fee)}`
}

/** Every path, and every rule that ignores it. */
const SETTINGS: readonly Partial<FillSettings>[] = [
  { path: 'pessimistic' },
  { path: 'optimistic' },
  { path: 'ohlc' },
  { path: 'olhc' },
  { stopLossFirst: 'always' },
  { entryKlineProtection: 'marketEntries' },
  { stopLimit: 'atStopPrice' },
  { limitFill: 'touch' },
  // Slippage ends at its limit.
  { slippageRate: 0.05, slippageTicks: 3, spreadTicks: 2 },
]

describe.each(SETTINGS)(
  'a take-profit, which a bot sends once its price is there, pays the taker by %j',
  fills => {
    const bought = enterLong({ takeProfit: 110 })

    it('inside a kline', () => {
      // 110 × 0.0005
      expect(lastFill({ 0: bought }, [QUIET, QUIET, INSIDE], fills)).toBe('110 taker 0.055')
    })

    it('on the kline of its entry', () => {
      expect(lastFill({ 0: bought }, [QUIET, INSIDE], fills)).toBe('110 taker 0.055')
    })

    it('at an open beyond it', () => {
      expect(lastFill({ 0: bought }, [QUIET, QUIET, GAP], fills)).toBe('110 taker 0.055')
    })

    it('of a short', () => {
      const sold = enterShort({ takeProfit: 90 })
      // 90 × 0.0005
      expect(lastFill({ 0: sold }, [QUIET, QUIET, [100, 101, 89, 95]], fills)).toBe('90 taker 0.045')
    })

    it('and a limit order that closes, which rests at the exchange, the maker', () => {
      const closed = exit({ order: { type: 'limit', price: 110 } })
      // 110 × 0.0002
      expect(lastFill({ 0: enterLong(), 1: closed }, [QUIET, QUIET, INSIDE], fills)).toBe('110 maker 0.022')
    })
  },
)

it('a take-profit that takes the open loses slippage there, as far as its limit', () => {
  const bought = enterLong({ takeProfit: 110 })
  const rows = [QUIET, QUIET, GAP]
  // 112 - 112 × 0.01 = 110.88, and 110.88 × 0.0005
  const near = { gappedLimit: 'atOpen', slippageRate: 0.01 } as const
  expect(lastFill({ 0: bought }, rows, near)).toBe('110.88 taker 0.05544')
  // 112 - 112 × 0.05 = 106.4 is beyond the limit.
  expect(lastFill({ 0: bought }, rows, { ...near, slippageRate: 0.05 })).toBe('110 taker 0.055')
})

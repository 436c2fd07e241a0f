import { DEFAULT_FILL_SETTINGS, type FillSettings } from '../../../backtest/models/fill-settings.ts'
import type { BacktestOptions } from '../../../backtest/run/backtest-options.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import type { Strategy } from '../../../src/strategy/define-strategy.ts'
import {
  cancelEntries,
  defineStrategy,
  enterLong,
  integer,
  number,
  rsi,
} from '../../../src/strategy/index.ts'
import { klinesOf } from '../kline-table.ts'
import { randomRows } from '../random-market.ts'

const HOUR = 3_600_000

/** Klines of hours from 1970 on, around 100. */
export function hourly(seed: number, count: number): KlineColumns {
  const klines = klinesOf(randomRows(seed, count))
  return { ...klines, openTime: klines.openTime.map((_time, row) => row * HOUR) }
}

/** A backtest on an account with 10,000 quote. */
export function backtestOn(
  klines: KlineColumns,
  strategy: Strategy,
  instrument: Instrument,
  fills: Partial<FillSettings> = {},
): BacktestOptions {
  return {
    klines,
    instrument,
    interval: '1h',
    strategy,
    parameters: {},
    balances: new Map([[instrument.quote, amountOf('10000')]]),
    size: { equityFraction: 0.5 },
    fills: { ...DEFAULT_FILL_SETTINGS, ...fills },
    sizingReference: 'decision',
    closeAtEnd: 'no',
  }
}

/** Rests a bid below the market while the RSI is low; a stop-loss and a take-profit end what it buys. */
export const bidder = defineStrategy({
  name: 'bidder',
  parameters: {
    klines: integer({ default: 14, min: 2, max: 100, description: 'Klines in the RSI.' }),
    distance: number({ default: 0.002, min: 0, max: 0.1, description: 'Distance of the bid.' }),
  },
  indicators: ({ klines }) => ({ rsi: rsi(klines) }),
  onKline({ close }, { indicators, position, parameters: { distance } }) {
    if (position.direction !== 'flat') return
    if (indicators.rsi.value >= 45) return cancelEntries()
    return enterLong({
      order: { type: 'limit', price: close * (1 - distance) },
      stopLoss: { fraction: 0.02 },
      takeProfit: { fraction: 0.01 },
    })
  },
})

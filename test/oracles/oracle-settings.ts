import { DEFAULT_FILL_SETTINGS, type FillSettings } from '../../backtest/models/fill-settings.ts'
import type { BacktestOptions } from '../../backtest/run/backtest-options.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { amountOf, rateOf, ZERO } from '../../src/domain/numbers/amount.ts'
import { steps, ticks } from '../../src/domain/numbers/grid.ts'

/** The rules of backtesting.py where they differ from ours: what each setting reproduces is said in ../oracles/README.md. */
export const ORACLE_FILLS: FillSettings = {
  ...DEFAULT_FILL_SETTINGS,
  slippageRate: 0,
  slippageTicks: 0,
  // "Limit: fills on touch, at the better of limit and open."
  limitFill: 'touch',
  gappedLimit: 'atOpen',
  // "After a limit or stop entry, from the next bar (a take-profit touched on the entry bar of a stop entry …, fills)."
  entryKlineProtection: 'marketEntries',
  // "Both touched in one bar: stop-loss."
  stopLossFirst: 'always',
  // "Stop-limit: both in one bar."
  stopLimit: 'atStopPrice',
}

/** Sizing "margin_available·fraction / (price·(1+spread) + commission per unit)" happens at the price of the fill. */
export const ORACLE_SIZING: Pick<BacktestOptions, 'sizingReference'> = { sizingReference: 'nextOpen' }

/** Whole units, a price grid fine enough for unrounded stop prices, fees in quote, one side may borrow. */
export function oracleInstrument(commission: number, maxLeverage = 1): Instrument {
  return {
    symbol: 'X/USD',
    base: 'X',
    quote: 'USD',
    pricePrecision: 8,
    quantityPrecision: 0,
    minPrice: ticks(1),
    minQuantity: steps(1),
    maxQuantity: steps(Number.MAX_SAFE_INTEGER),
    minNotional: ZERO,
    leverage: { min: 1, max: maxLeverage },
    accountType: 'margin',
    fees: { maker: rateOf(commission), taker: rateOf(commission), paidIn: 'quote' },
  }
}

/** A starting balance in the quote of `oracleInstrument`. */
export function cash(amount: number): BacktestOptions['balances'] {
  return new Map([['USD', amountOf(String(amount))]])
}

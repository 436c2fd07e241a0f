import { DEFAULT_FILL_SETTINGS } from '../../../backtest/models/fill-settings.ts'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import type { BacktestMarket, MarketsBacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import { type Interval, intervalMs } from '../../../src/domain/market-data/interval.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { priceOf, quantityOf } from '../../../src/domain/numbers/grid.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import type { Strategy } from '../../../src/strategy/define-strategy.ts'
import { defineStrategy } from '../../../src/strategy/index.ts'
import { MARGIN } from '../../engine/engine-session.ts'
import { klinesOf, QUIET, type Row } from '../kline-table.ts'

export const MINUTE = 60_000
export const ETH = { ...MARGIN, symbol: 'ETH/USDT', base: 'ETH' }

/** A strategy that does nothing. */
export const idle = defineStrategy({ name: 'idle' })

/** Klines of any interval; the first opens at `start`, and each of `absent` (numbers of klines from there) is left out. */
export function klinesAt(
  rows: readonly Row[],
  {
    start = 0,
    interval = '1m',
    absent = [],
  }: { start?: number; interval?: Interval; absent?: number[] } = {},
): KlineColumns {
  const columns = klinesOf(rows)
  const places = Array.from({ length: rows.length + absent.length }, (_, place) => place).filter(
    place => !absent.includes(place),
  )
  const openTime = Float64Array.from(rows, (_, row) => start + (places[row] ?? 0) * intervalMs(interval))
  return { ...columns, openTime }
}

/** A strategy on minutes of BTC/USDT with a size of 1 base, unless said otherwise. */
export function marketOf(
  strategy: Strategy,
  klines: KlineColumns,
  settings: Partial<BacktestMarket> = {},
): BacktestMarket {
  return {
    klines,
    instrument: MARGIN,
    interval: '1m',
    strategy,
    parameters: {},
    size: { base: 1 },
    ...settings,
  }
}

/** Twelve quiet minutes. */
export const QUIET_MINUTES = klinesAt(Array.from({ length: 12 }, () => QUIET))

/** A kline that stands still. */
export function flat(price: number): Row {
  return [price, price, price, price]
}

/** Runs one market as `several` does. */
export function runOf(market: BacktestMarket): BacktestResult {
  return runBacktest(several([market]))
}

/** Several markets on an account of 10,000 USDT, without slippage. */
export function several(
  markets: readonly BacktestMarket[],
  settings: Partial<MarketsBacktestOptions> = {},
): MarketsBacktestOptions {
  return {
    markets,
    balances: new Map([['USDT', amountOf('10000')]]),
    fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0 },
    sizingReference: 'decision',
    closeAtEnd: 'no',
    ...settings,
  }
}

/** `1: BTC/USDT buy 1 at 100`, with times in minutes. */
export function fillWords({ fills }: BacktestResult): string[] {
  return fills.map(({ time, book, side, quantity, price }) => {
    const base = quantityOf(MARGIN, quantity)
    return `${time / MINUTE}: ${book} ${side} ${base} at ${priceOf(MARGIN, price)}`
  })
}

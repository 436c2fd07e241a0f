import { DEFAULT_FILL_SETTINGS, type FillSettings } from '../../backtest/models/fill-settings.ts'
import type { BacktestResult } from '../../backtest/results/backtest-result.ts'
import type { BacktestOptions } from '../../backtest/run/backtest-options.ts'
import { runBacktest } from '../../backtest/run/run-backtest.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { priceOf, quantityOf } from '../../src/domain/numbers/grid.ts'
import type { Signal } from '../../src/domain/signal.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import type { Strategy } from '../../src/strategy/define-strategy.ts'
import { MARGIN, scripted } from '../engine/engine-session.ts'

/** Open, high, low, close. */
export type Row = readonly [number, number, number, number]

/** A kline at 100 on which nothing happens. */
export const QUIET: Row = [100, 100, 100, 100]

/** Klines of one minute, from 1970 on, so that a time in minutes is a row. */
export function klinesOf(rows: readonly Row[]): KlineColumns {
  const column = (index: 0 | 1 | 2 | 3) => Float64Array.from(rows, row => row[index])
  return {
    length: rows.length,
    openTime: Float64Array.from(rows, (_row, index) => index * 60_000),
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    volume: new Float64Array(rows.length).fill(1),
  }
}

/** What a run may differ in from the defaults: no slippage, and everything else as in `DEFAULT_FILL_SETTINGS`. */
export interface RunSettings extends Partial<Omit<BacktestOptions, 'fills' | 'strategy' | 'balances'>> {
  readonly fills?: Partial<FillSettings>
  /** Starting quote. */
  readonly quote?: string
}

/** Runs a strategy over rows; its size is 1 base, its account has 10,000 quote. */
export function run(strategy: Strategy, rows: readonly Row[], settings: RunSettings = {}): BacktestResult {
  const { fills, quote = '10000', instrument = MARGIN, ...options } = settings
  return runBacktest({
    klines: klinesOf(rows),
    instrument,
    interval: '1m',
    strategy,
    parameters: {},
    balances: new Map([[instrument.quote, amountOf(quote)]]),
    size: { base: 1 },
    fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0, ...fills },
    sizingReference: 'decision',
    closeAtEnd: 'no',
    ...options,
  })
}

/** Runs a script (signals by row). */
export function runScript(
  script: Readonly<Record<number, Signal | readonly Signal[]>>,
  rows: readonly Row[],
  settings: RunSettings = {},
): BacktestResult {
  return run(scripted(script), rows, settings)
}

/** Fills in words: row, side, quantity, price, liquidity. */
export function fillWords({ fills }: BacktestResult, instrument: Instrument = MARGIN): string[] {
  return fills.map(
    ({ time, side, quantity, price, liquidity }) =>
      `${time / 60_000}: ${side} ${quantityOf(instrument, quantity)} at ${priceOf(instrument, price)} ${liquidity}`,
  )
}

/** Reasons of the exits, in order. */
export function exitReasons({ roundTrips }: BacktestResult): string[] {
  return roundTrips.map(({ exitReason }) => exitReason)
}

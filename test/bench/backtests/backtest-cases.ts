import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import type { KlineColumns } from '../../../src/klines/kline-columns.ts'
import { bareRsi } from './bare-rsi.ts'
import { bareSmaCross, type SmaCrossSettings } from './bare-sma-cross.ts'
import { RSI_BRACKETS, rsiBrackets } from './rsi-brackets.ts'
import { backtestOptions, smaCrossRun } from './sluice-backtest.ts'
import { tenInstruments } from './ten-instruments.ts'

/** A backtest to be timed: its preparation (configuration, copies of data) is not. */
export interface BacktestCase {
  readonly name: string
  /** A whole run, from columns to fills, round trips and equity; returns its fills. */
  prepare(klines: KlineColumns): () => number
  /** The bare loop of the same indicators and crossings; returns its fills, or `undefined` where it makes none. */
  bare(klines: KlineColumns): number | undefined
}

const FEW: SmaCrossSettings = { fast: 200, slow: 1000, equityFraction: 0.95, cash: 10_000 }
/** So small a part of the equity that fees and slippage do not use it up: every crossing trades. */
const MANY: SmaCrossSettings = { fast: 10, slow: 30, equityFraction: 0.01, cash: 100_000 }

/** The cases by the name that a process of their own is started with. */
export const BACKTEST_CASES = {
  few: smaCrossCase('backtest sma-cross 200/1000, a trade in 700 klines', FEW),
  many: smaCrossCase('backtest sma-cross 10/30, a trade in 25 klines', MANY),
  brackets: {
    name: 'backtest RSI limit entries with brackets',
    prepare(klines) {
      const options = {
        ...backtestOptions(klines, 10_000),
        strategy: rsiBrackets,
        parameters: {},
        size: { equityFraction: 0.1 },
      }
      return () => runBacktest(options).fillCount
    },
    bare(klines) {
      bareRsi(klines, RSI_BRACKETS.klines, RSI_BRACKETS.oversold)
      return undefined
    },
  },
  instruments: {
    name: 'backtest of 10 instruments on one account, sma-cross 10/30',
    prepare: tenInstruments,
    bare(klines) {
      bareSmaCross(klines, MANY)
      return undefined
    },
  },
} as const satisfies Record<string, BacktestCase>

/** Name of a case. */
export type BacktestCaseName = keyof typeof BACKTEST_CASES

function smaCrossCase(name: string, settings: SmaCrossSettings): BacktestCase {
  return {
    name,
    prepare(klines) {
      const run = smaCrossRun(klines, settings)
      return () => run().fillCount
    },
    bare: klines => bareSmaCross(klines, settings).fills,
  }
}

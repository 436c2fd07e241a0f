import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { BacktestResult } from '../../backtest/results/backtest-result.ts'
import { runBacktest } from '../../backtest/run/run-backtest.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import type { Interval } from '../../src/domain/market-data/interval.ts'
import { amountToNumber } from '../../src/domain/numbers/amount.ts'
import { priceOf } from '../../src/domain/numbers/grid.ts'
import { readKlineFile } from '../../src/klines/formats/read-kline-file.ts'
import { hasShared, sharedPath } from '../shared-data.ts'
import { cash, ORACLE_FILLS, ORACLE_SIZING, oracleInstrument } from './oracle-settings.ts'
import { ORACLE_STRATEGIES } from './oracle-strategies.ts'

interface OracleTrade {
  readonly size: number
  readonly entry_bar: number
  readonly exit_bar: number
  readonly entry_price: number
  readonly exit_price: number
  readonly pnl: number
  readonly commission: number
}

interface Oracle {
  readonly data: { readonly file: string }
  readonly config: { readonly cash: number; readonly commission: number }
  readonly trades: readonly OracleTrade[]
  readonly final_cash: number
  readonly equity_samples: readonly (readonly [number, number])[]
  readonly open_trades_at_end: readonly { readonly size: number; readonly entry_price: number }[]
}

const INTERVALS: Readonly<Record<string, Interval>> = {
  'goog-1d-sma-cross': '1d',
  'btcusdt-1h-sma-long-only': '1h',
  'btcusdt-15m-donchian-bracket': '15m',
  'btcusdt-1m-stop-entries': '1m',
}

describe.runIf(hasShared('oracles'))('the replay against an independent engine', () => {
  for (const [id, strategy] of Object.entries(ORACLE_STRATEGIES)) {
    it(`gives every round trip of ${id}: row, side, price, size and pnl`, async () => {
      const oracle: Oracle = JSON.parse(readFileSync(sharedPath('oracles', `${id}.json`), 'utf8'))
      const klines = (await readKlineFile(sharedPath('data', oracle.data.file))).columns
      const instrument = oracleInstrument(oracle.config.commission)
      const result = runBacktest({
        klines,
        instrument,
        interval: INTERVALS[id] ?? '1d',
        strategy,
        parameters: {},
        balances: cash(oracle.config.cash),
        size: { base: 1 },
        fills: ORACLE_FILLS,
        ...ORACLE_SIZING,
        closeAtEnd: 'no',
      })
      const rowOf = new Map(Array.from(klines.openTime, (time, row) => [time, row]))
      expect(result.roundTrips.length).toBe(oracle.trades.length)
      expectSameTrades(result, oracle.trades, instrument, rowOf)
      for (const [row, equity] of oracle.equity_samples) expectClose(result.equity[row], equity)
      expectOpenPosition(result, oracle, instrument)
    })
  }
})

function expectSameTrades(
  { roundTrips }: BacktestResult,
  trades: readonly OracleTrade[],
  instrument: Instrument,
  rowOf: ReadonlyMap<number, number>,
): void {
  for (const [index, trade] of trades.entries()) {
    const own = roundTrips[index]
    if (own === undefined) throw new Error(`Round trip ${index} is missing.`)
    const size = own.direction === 'long' ? own.quantity : -own.quantity
    expect([index, size, rowOf.get(own.entryTime), rowOf.get(own.exitTime)]).toEqual([
      index,
      trade.size,
      trade.entry_bar,
      trade.exit_bar,
    ])
    expectClose(priceOf(instrument, own.entryPrice), trade.entry_price)
    expectClose(priceOf(instrument, own.exitPrice), trade.exit_price)
    expectClose(amountToNumber(own.pnl), trade.pnl)
    expectClose(amountToNumber(own.fees), trade.commission)
  }
}

function expectOpenPosition(
  { openPositions: [openPosition] }: BacktestResult,
  oracle: Oracle,
  instrument: Instrument,
): void {
  const lots = (openPosition?.lots ?? []).map(({ quantity, price }) => ({
    size: openPosition?.direction === 'long' ? quantity : -quantity,
    entry_price: priceOf(instrument, price),
  }))
  expect(lots).toEqual(oracle.open_trades_at_end.map(({ size, entry_price }) => ({ size, entry_price })))
}

/** Equal to 1e-9 relative, the precision the oracles promise. */
function expectClose(actual: number | undefined, expected: number): void {
  expect(actual).toBeDefined()
  expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(
    1e-9 * Math.max(1, Math.abs(expected)),
  )
}

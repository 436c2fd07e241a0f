import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../backtest/models/fill-settings.ts'
import type { BacktestResult } from '../../backtest/results/backtest-result.ts'
import type { BacktestOptions } from '../../backtest/run/backtest-options.ts'
import { runBacktest } from '../../backtest/run/run-backtest.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { add, amountToNumber, negate, ZERO } from '../../src/domain/numbers/amount.ts'
import { notionalOf, priceOf } from '../../src/domain/numbers/grid.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import {
  defineStrategy,
  enterLong,
  enterShort,
  exit,
  type Signal,
  targetPosition,
} from '../../src/strategy/index.ts'
import { hasShared, sharedPath } from '../shared-data.ts'
import { cash, oracleInstrument } from './oracle-settings.ts'

interface Operation {
  readonly op: 'buy' | 'sell' | 'close'
  readonly size?: number
  readonly limit?: number
  readonly stop?: number
  readonly sl?: number
  readonly tp?: number
  readonly portion?: number
}

interface Scenario {
  readonly name: string
  readonly candles: readonly (readonly [number, number, number, number])[]
  readonly script: Readonly<Record<string, readonly Operation[]>>
  readonly config: { readonly margin?: number }
  readonly expected: {
    readonly trades: readonly Record<string, number>[]
    readonly open_trades: readonly {
      readonly size: number
      readonly entry_bar: number
      readonly entry_price: number
    }[]
    readonly pending_orders: number
    readonly equity: readonly number[]
    readonly final_cash: number
  }
}

type Settings = Partial<Pick<BacktestOptions, 'closeAtEnd' | 'sizingReference'>> & {
  readonly fills?: Partial<BacktestOptions['fills']>
}

/** Our own rules apart from the zero slippage; each scenario names the settings in which the oracle's rules differ. */
const OWN_FILLS: BacktestOptions['fills'] = {
  ...DEFAULT_FILL_SETTINGS,
  slippageRate: 0,
  slippageTicks: 0,
  limitFill: 'through',
  gappedLimit: 'atLimit',
  entryKlineProtection: 'all',
  stopLossFirst: 'unlessOpenPassedTakeProfit',
  stopLimit: 'gapAware',
}

const SETTINGS: Readonly<Record<string, Settings>> = {
  'market-long': {},
  'sl-same-bar-as-market-entry': {},
  'sl-and-tp-same-bar': {},
  'open-gaps-over-tp-but-low-hits-sl': { fills: { stopLossFirst: 'always' } },
  'gap-through-tp': { fills: { gappedLimit: 'atOpen' } },
  'short-gap-through-tp': { fills: { gappedLimit: 'atOpen' } },
  'limit-exact-touch': { fills: { limitFill: 'touch' } },
  'limit-bar-sl-not-processed': { fills: { entryKlineProtection: 'marketEntries' } },
  'limit-next-bar-sl-gap': { fills: { entryKlineProtection: 'marketEntries' } },
  'stop-entry-gap': {},
  'stop-entry-sl-same-bar': { fills: { entryKlineProtection: 'marketEntries' } },
  'sell-stop-entry': {},
  'stoplimit-gap-above-limit': { fills: { stopLimit: 'atStopPrice' } },
  'close-and-sl-same-bar': {},
  'opposite-order-nets-fifo': {},
  'partial-close-rounding': {},
  'insufficient-margin-cancelled': {},
  'exclusive-cancels-limits': {},
  finalize: { closeAtEnd: 'lastOpen' },
  'two-stops-same-bar-net': {},
  ruin: { sizingReference: 'nextOpen' },
}

const available = hasShared('oracles', 'micro.json')
const scenarios: readonly Scenario[] = available
  ? JSON.parse(readFileSync(sharedPath('oracles', 'micro.json'), 'utf8'))
  : []

describe.runIf(available)('the micro scenarios of an independent engine', () => {
  it('are all named here, with the settings they need', () => {
    expect(scenarios.map(({ name }) => name).sort()).toEqual(Object.keys(SETTINGS).sort())
  })

  for (const scenario of scenarios) {
    it(scenario.name, () => {
      const leverage = 1 / (scenario.config.margin ?? 1)
      const instrument = oracleInstrument(0, leverage)
      const result = run(scenario, instrument, leverage)
      const { expected } = scenario
      expect(tradesOf(result, instrument)).toEqual(
        expected.trades.map(({ commission: _commission, ...trade }) => trade),
      )
      expect(openTradesOf(result, instrument)).toEqual(expected.open_trades)
      expect(result.workingOrders).toBe(expected.pending_orders)
      expect([...result.equity]).toEqual(expected.equity)
      // The oracle takes a bankrupt account's debt off; our ledger keeps the books, and only equity ends at zero.
      if (!result.ruined) expect(marginCash(result, instrument)).toBe(expected.final_cash)
    })
  }
})

function run(scenario: Scenario, instrument: Instrument, leverage: number): BacktestResult {
  const { fills, ...settings } = SETTINGS[scenario.name] ?? {}
  return runBacktest({
    klines: columnsOf(scenario.candles),
    instrument,
    interval: '1m',
    strategy: scripted(scenario, leverage),
    parameters: {},
    balances: cash(10_000),
    size: { base: 1 },
    fills: { ...OWN_FILLS, ...fills },
    sizingReference: 'decision',
    closeAtEnd: 'no',
    ...settings,
  })
}

function scripted({ script }: Scenario, leverage: number) {
  return defineStrategy({
    name: 'scripted',
    state: () => ({ row: -1 }),
    onKline(_kline, { state, position }) {
      state.row++
      const held = position.direction === 'short' ? -position.quantity : position.quantity
      return (script[state.row] ?? []).map(operation => signalOf(operation, held, leverage))
    },
  })
}

/** The oracle trades the largest number below all of its equity; that is all of it to us, float noise aside. */
const NEARLY_ALL = 1 - 1e-9

function signalOf(
  { op, size, limit, stop, sl, tp, portion }: Operation,
  held: number,
  leverage: number,
): Signal {
  if (op === 'close') return exit(portion === undefined ? {} : { fraction: portion })
  if (op === 'sell' && held > 0) return targetPosition({ base: held - (size ?? 0) })
  const enter = op === 'buy' ? enterLong : enterShort
  return enter({
    scaleIn: true,
    size: size === undefined ? { equityFraction: leverage * NEARLY_ALL } : { base: size },
    ...(sl !== undefined && { stopLoss: sl }),
    ...(tp !== undefined && { takeProfit: tp }),
    ...(stop !== undefined && limit === undefined && { order: { type: 'stop', stopPrice: stop } as const }),
    ...(stop === undefined && limit !== undefined && { order: { type: 'limit', price: limit } as const }),
    ...(stop !== undefined &&
      limit !== undefined && { order: { type: 'stopLimit', stopPrice: stop, price: limit } as const }),
  })
}

function tradesOf({ roundTrips }: BacktestResult, instrument: Instrument) {
  return roundTrips.map(trip => ({
    size: trip.direction === 'long' ? trip.quantity : -trip.quantity,
    entry_bar: trip.entryTime / 60_000,
    // The bar that it is on: ruin comes at its close, everything else by its open.
    exit_bar: trip.exitTime / 60_000 - (trip.exitReason === 'ruin' ? 1 : 0),
    entry_price: priceOf(instrument, trip.entryPrice),
    exit_price: priceOf(instrument, trip.exitPrice),
    pnl: amountToNumber(trip.pnl),
  }))
}

function openTradesOf({ openPositions: [openPosition] }: BacktestResult, instrument: Instrument) {
  return (openPosition?.lots ?? []).map(lot => ({
    size: openPosition?.direction === 'long' ? lot.quantity : -lot.quantity,
    entry_bar: lot.time / 60_000,
    entry_price: priceOf(instrument, lot.price),
  }))
}

/** Cash as a margin broker counts it: open trades cost nothing until they close. */
function marginCash(
  { openPositions: [openPosition], balances }: BacktestResult,
  instrument: Instrument,
): number {
  let own = balances.get(instrument.quote) ?? ZERO
  for (const lot of openPosition?.lots ?? []) {
    const cost = notionalOf(instrument, lot.price, lot.quantity)
    own = add(own, openPosition?.direction === 'long' ? cost : negate(cost))
  }
  return amountToNumber(own)
}

function columnsOf(rows: Scenario['candles']): KlineColumns {
  const column = (index: 0 | 1 | 2 | 3) => Float64Array.from(rows, row => row[index])
  return {
    length: rows.length,
    openTime: Float64Array.from(rows, (_row, index) => index * 60_000),
    open: column(0),
    high: column(1),
    low: column(2),
    close: column(3),
    volume: new Float64Array(rows.length),
  }
}

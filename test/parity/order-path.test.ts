import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../backtest/models/fill-settings.ts'
import type { BacktestMarket } from '../../backtest/run/backtest-options.ts'
import { runBacktest } from '../../backtest/run/run-backtest.ts'
import { klinesOfTrades } from '../../backtest/ticks/klines-of-trades.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { SignalExecutor } from '../../src/engine/decisions/signal-executor.ts'
import { Engine } from '../../src/engine/engine.ts'
import { AccountView } from '../../src/engine/orders/account-view.ts'
import { OrderPlacer } from '../../src/engine/orders/order-placer.ts'
import { StrategyRisk } from '../../src/engine/risk/strategy-risk.ts'
import { MarketTrader } from '../../src/engine/strategy/market-trader.ts'
import { MarketTraders } from '../../src/engine/strategy/market-traders.ts'
import { StrategyRunner } from '../../src/engine/strategy/strategy-runner.ts'
import { columnsFrom } from '../../src/klines/kline-columns.ts'
import { Balances } from '../../src/ledger/balances.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { Orders } from '../../src/ledger/orders.ts'
import { defineStrategy, enterLong } from '../../src/strategy/index.ts'
import { tradesWithin } from '../backtest/ticks/trades-within.ts'
import { SPOT } from '../engine/engine-session.ts'
import type { MarketSlice } from './market-slice.ts'
import { runLive } from './run-both.ts'

/** The functions that were entered, in order. */
const entered: string[] = []

/** The life of a market order, from the signal to the strategy that is told of its fill. */
const LIFE = [
  'strategy decides',
  'MarketTraders.distribute',
  'MarketTrader.trade',
  'SignalExecutor.execute',
  // The size is a part of the equity.
  'AccountView.equity',
  'OrderPlacer.place',
  // The first check of risk asks for the mode; what passes all of them is counted.
  'StrategyRisk.mode',
  'Orders.add',
  'StrategyRisk.noteOrder',
  'Ledger.book',
  'Orders.fill',
  'Balances.book',
  'StrategyRunner.afterFill',
  'MarketTrader.afterFill',
  'strategy is told',
]

const METHODS: readonly (readonly [owner: { readonly prototype: object }, name: string])[] = [
  [MarketTraders, 'distribute'],
  [MarketTrader, 'trade'],
  [SignalExecutor, 'execute'],
  [AccountView, 'equity'],
  [OrderPlacer, 'place'],
  [StrategyRisk, 'mode'],
  [StrategyRisk, 'noteOrder'],
  [Orders, 'add'],
  [Ledger, 'book'],
  [Orders, 'fill'],
  [Balances, 'book'],
  [StrategyRunner, 'afterFill'],
  [MarketTrader, 'afterFill'],
]

/** Has a method or a getter note that it is entered; returns what takes that back. */
function traced({ prototype }: { readonly prototype: object }, name: string): () => void {
  const before = Object.getOwnPropertyDescriptor(prototype, name) ?? {}
  const text = `${prototype.constructor.name}.${name}`
  const noting = (method: unknown) =>
    function (this: unknown, ...given: unknown[]): unknown {
      entered.push(text)
      return Reflect.apply(method as () => unknown, this, given) // a method or a getter
    }
  const { get, value } = before
  const after = get === undefined ? { value: noting(value) } : { get: noting(get) }
  Object.defineProperty(prototype, name, { ...before, ...after })
  return () => Object.defineProperty(prototype, name, before)
}

let restores: readonly (() => void)[] = []

beforeAll(() => {
  restores = METHODS.map(([owner, name]) => traced(owner, name))
})

afterAll(() => {
  for (const restore of restores) restore()
})

/** Buys once, at market, on the third kline that it decides on, and is told of the fill. */
const buyer = defineStrategy({
  name: 'buyer',
  state: () => ({ klines: 0 }),
  onKline(_kline, { state }) {
    if (++state.klines !== 3) return
    entered.push('strategy decides')
    return enterLong()
  },
  onFill() {
    entered.push('strategy is told')
  },
})

/** The same, who is told of nothing. */
const silent = defineStrategy({
  name: 'silent',
  state: () => ({ klines: 0 }),
  onKline(_kline, { state }) {
    if (++state.klines !== 3) return
    entered.push('strategy decides')
    return enterLong()
  },
})

const START = Date.UTC(2024, 0, 1)
const KLINES = Array.from({ length: 8 }, (_, row): Kline => {
  const openTime = START + row * 60_000
  return { openTime, open: 40_000, high: 40_010, low: 39_990, close: 40_000, volume: 5 }
})
const SLICE: MarketSlice = { klines: KLINES, columns: columnsFrom(KLINES) }
const ACCOUNT = {
  balances: new Map([['USDT', amountOf('100000')]]),
  fills: DEFAULT_FILL_SETTINGS,
  sizingReference: 'decision',
  closeAtEnd: 'no',
} as const

function marketOf(strategy = buyer, symbol = 'BTC/USDT'): BacktestMarket {
  const instrument = { ...SPOT, symbol, base: symbol.split('/')[0] ?? symbol }
  return {
    ...{ klines: SLICE.columns, instrument, interval: '1m', strategy, parameters: {} },
    size: { equityFraction: 0.5 },
  }
}

/** Functions entered while `run` ran, from the decision until the fill was told. */
async function pathOf(run: () => unknown): Promise<readonly string[]> {
  entered.length = 0
  await run()
  const end = Math.max(
    ...['MarketTrader.afterFill', 'strategy is told'].map(name => entered.lastIndexOf(name)),
  )
  return entered.slice(entered.indexOf('strategy decides'), end + 1)
}

describe('the path of a market order', () => {
  it('is that of its life in a live bot', async () => {
    const path = await pathOf(() => runLive(SLICE, { strategy: buyer, parameters: {}, history: 0 }))
    expect(path).toEqual(LIFE)
  })

  it('is the same in a backtest of which nobody is told', async () => {
    expect(await pathOf(() => runBacktest({ ...ACCOUNT, ...marketOf() }))).toEqual(LIFE)
  })

  it('is the same of a strategy that is told of nothing', async () => {
    const path = await pathOf(() => runBacktest({ ...ACCOUNT, ...marketOf(silent) }))
    expect(path).toEqual(LIFE.slice(0, -1))
  })

  it('is the same in a backtest that is observed', async () => {
    const process = vi.spyOn(Engine.prototype, 'process')
    const onNotice = () => undefined
    expect(await pathOf(() => runBacktest({ ...ACCOUNT, ...marketOf(), onNotice }))).toEqual(LIFE)
    expect(process.mock.calls.map(([{ type }]) => type)).toContain('orderUpdated')
    process.mockRestore()
  })

  it('is the same among several markets', async () => {
    const idle = defineStrategy({ name: 'idle' })
    const markets = [marketOf(idle, 'ETH/USDT'), marketOf()]
    expect(await pathOf(() => runBacktest({ ...ACCOUNT, markets }))).toEqual(LIFE)
  })

  it('is the same on recorded trades', async () => {
    const ticks = tradesWithin(KLINES)
    const klines = klinesOfTrades(ticks.trades, '1m')
    expect(await pathOf(() => runBacktest({ ...ACCOUNT, ...marketOf(), ticks, klines }))).toEqual(LIFE)
  })
})

import { describe, expect, it, vi } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../backtest/models/fill-settings.ts'
import type { BacktestMarket } from '../../backtest/run/backtest-options.ts'
import { runBacktest } from '../../backtest/run/run-backtest.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { SignalExecutor } from '../../src/engine/decisions/signal-executor.ts'
import { Engine } from '../../src/engine/engine.ts'
import { OrderPlacer } from '../../src/engine/orders/order-placer.ts'
import { MarketTrader } from '../../src/engine/strategy/market-trader.ts'
import { MarketTraders } from '../../src/engine/strategy/market-traders.ts'
import { StrategyRunner } from '../../src/engine/strategy/strategy-runner.ts'
import { columnsFrom } from '../../src/klines/kline-columns.ts'
import { Balances } from '../../src/ledger/balances.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { Orders } from '../../src/ledger/orders.ts'
import { defineStrategy, enterLong } from '../../src/strategy/index.ts'
import { SPOT } from '../engine/engine-session.ts'
import type { MarketSlice } from './market-slice.ts'
import { runLive } from './run-both.ts'

/** The functions that were entered, in order. */
const entered = vi.hoisted((): string[] => [])

/** Notes every call of the exported functions of a module. */
const traced = vi.hoisted(() => (exports: object): object => {
  const note =
    (name: string, value: unknown) =>
    (...given: unknown[]): unknown => {
      entered.push(name)
      return (value as (...given: unknown[]) => unknown)(...given)
    }
  return Object.fromEntries(
    Object.entries(exports).map(([name, value]) => [
      name,
      typeof value === 'function' ? note(name, value) : value,
    ]),
  )
})

vi.mock('../../src/risk/sizing.ts', async original => traced(await original<object>()))
vi.mock('../../src/risk/assess.ts', async original => traced(await original<object>()))
vi.mock('../../src/ledger/fill-position.ts', async original => traced(await original<object>()))

/** The life of a market order, from the signal to the strategy that is told of its fill. */
const LIFE = [
  'strategy decides',
  'MarketTraders.distribute',
  'MarketTrader.trade',
  'SignalExecutor.execute',
  'sizeToBase',
  'OrderPlacer.place',
  'assess',
  'Orders.add',
  'Ledger.book',
  'Orders.fill',
  'Balances.book',
  'bookFill',
  'StrategyRunner.afterFill',
  'MarketTrader.afterFill',
  'strategy is told',
]

const METHODS = [
  [MarketTraders, 'distribute'],
  [MarketTrader, 'trade'],
  [SignalExecutor, 'execute'],
  [OrderPlacer, 'place'],
  [Orders, 'add'],
  [Ledger, 'book'],
  [Orders, 'fill'],
  [Balances, 'book'],
  [StrategyRunner, 'afterFill'],
  [MarketTrader, 'afterFill'],
] as const

for (const [owner, name] of METHODS) {
  const prototype = owner.prototype as unknown as Record<string, (...given: unknown[]) => unknown>
  const method = prototype[name] as (...given: unknown[]) => unknown // each has it
  prototype[name] = function (this: unknown, ...given: unknown[]) {
    entered.push(`${owner.name}.${name}`)
    return method.apply(this, given)
  }
}

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

/** What was entered while `run` ran, from the decision until the fill was told. */
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
  })

  it('is the same among several markets', async () => {
    const idle = defineStrategy({ name: 'idle' })
    const markets = [marketOf(idle, 'ETH/USDT'), marketOf()]
    expect(await pathOf(() => runBacktest({ ...ACCOUNT, markets }))).toEqual(LIFE)
  })
})

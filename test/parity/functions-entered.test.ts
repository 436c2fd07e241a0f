import { beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../backtest/models/fill-settings.ts'
import type {
  BacktestMarket,
  BacktestOptions,
  MarketsBacktestOptions,
} from '../../backtest/run/backtest-options.ts'
import { runBacktest } from '../../backtest/run/run-backtest.ts'
import { klinesOfTrades } from '../../backtest/ticks/klines-of-trades.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { columnsFrom } from '../../src/klines/kline-columns.ts'
import { defineStrategy, enterLong, exit, protect } from '../../src/strategy/index.ts'
import { tradesWithin } from '../backtest/ticks/trades-within.ts'
import { SPOT } from '../engine/engine-session.ts'
import { functionsEntered } from './functions-entered.ts'
import type { MarketSlice } from './market-slice.ts'
import { runLive } from './run-both.ts'
import { runSeveralLive } from './run-several.ts'

const MINUTE = 60_000
const SIZE = { quote: 1500 }
const START = Date.UTC(2024, 0, 1)

/**
 * In turn enters at market and by a resting order, both with a stop-loss and two take-profits, moves the stop-loss, leaves, lets an
 * entry expire, replaces one, and asks for more than the account can pay.
 */
const trader = defineStrategy({
  name: 'trader',
  warmUp: () => 1,
  onKline({ openTime, close }, { position }) {
    const protection = {
      size: SIZE,
      stopLoss: { fraction: 0.006 },
      takeProfit: [
        { at: { fraction: 0.002 }, fraction: 0.5 },
        { at: { fraction: 0.02 }, fraction: 0.5 },
      ],
    }
    switch ((openTime / MINUTE) % 20) {
      case 2:
        return enterLong(protection)
      case 8:
        return position.direction === 'long' ? exit() : undefined
      case 10:
        return enterLong({ order: { type: 'limit', price: close - 30 }, ...protection })
      case 14:
        return position.direction === 'long' ? exit({ fraction: 0.5 }) : undefined
      case 16:
        return enterLong({
          size: SIZE,
          order: { type: 'limit', price: close - 3000 },
          expiresAfter: { klines: 1 },
          scaleIn: true,
        })
      case 18:
        return enterLong({ size: { base: 1000 }, scaleIn: true })
      case 19:
        return exit()
      default:
        return undefined
    }
  },
  onFill: ({ purpose }, { position }) =>
    purpose === 'takeProfit' && position.direction === 'long'
      ? protect({ stopLoss: position.entryPrice })
      : undefined,
})

/** Waves of 200 USDT a quarter of an hour, so that limits, stops and targets are reached. */
const KLINES = Array.from({ length: 60 }, (_, row): Kline => {
  const priceAt = (at: number) => 40_000 + Math.round(200 * Math.sin((2 * Math.PI * at) / 15))
  const [open, close] = [priceAt(row), priceAt(row + 1)]
  const [high, low] = [Math.max(open, close) + 20, Math.min(open, close) - 20]
  return { openTime: START + row * MINUTE, open, high, low, close, volume: 50 }
})
const SLICE: MarketSlice = { klines: KLINES, columns: columnsFrom(KLINES) }

function marketOf(symbol = 'BTC/USDT'): BacktestMarket {
  const instrument = { ...SPOT, symbol, base: symbol.split('/')[0] ?? symbol }
  return {
    ...{ klines: SLICE.columns, instrument, interval: '1m', strategy: trader, parameters: {} },
    size: SIZE,
  }
}

const ACCOUNT = {
  balances: new Map([['USDT', amountOf('10000')]]),
  fills: DEFAULT_FILL_SETTINGS,
  sizingReference: 'decision',
  closeAtEnd: 'no',
} as const
const ONE: BacktestOptions = { ...ACCOUNT, ...marketOf() }

/** The market shows rows of columns, in stretches or one after the other, in place of an event for each kline. */
const SHOWS_ROWS = [
  'engine/brackets/best-prices.ts observeRows',
  'engine/routing/market-data-router.ts announce',
  'engine/routing/market-data-router.ts pricedMarket',
  'engine/routing/market-data-router.ts routeOf',
  'engine/strategy/engine-market-view.ts follow',
  'engine/strategy/engine-market-view.ts settle',
  'engine/strategy/strategy-clock.ts follow',
  'engine/strategy/strategy-clock.ts settle',
  'engine/strategy/strategy-feeds.ts tradedOn',
  'engine/strategy/strategy-runner.ts #follow',
  'engine/strategy/strategy-runner.ts announce',
  'engine/strategy/strategy-runner.ts feedsOf',
  'engine/strategy/strategy-runner.ts get isDeciding',
  'engine/strategy/strategy-runner.ts settle',
]

/** The only market of a run, until its strategy decides something. */
const SHOWS_STRETCHES = [
  'engine/routing/market-data-router.ts #closeDecided',
  'engine/routing/market-data-router.ts closeKlines',
  'engine/strategy/strategy-runner.ts #askOnKlines',
  'engine/strategy/strategy-runner.ts closeKlines',
  'engine/strategy/strategy-runner.ts hasCommand',
]

/** One of several markets, or of ticks. */
const SHOWS_ROW_BY_ROW = [
  'engine/routing/market-data-router.ts closeKline',
  'engine/routing/market-data-router.ts closeNext',
  'engine/routing/market-data-router.ts observeClose',
  'engine/routing/market-data-router.ts settle',
  'engine/strategy/strategy-runner.ts closeRow',
  'engine/strategy/strategy-runner.ts get isFollowing',
]

/** Asks whether an order may be sent and accepted in one step, because nobody is told of it. */
const ASKS = ['engine/engine.ts acknowledge']

const TELLS_NOBODY = [
  'engine/strategy/strategy-runner.ts get followsOrders',
  'engine/strategy/strategy-runner.ts observe',
  'ledger/orders.ts acknowledge',
]

/** The equity of every kline, as a double for the curve. */
const DRAWS_EQUITY = [
  'ledger/account-balances.ts get isSingleAccount',
  'ledger/equity-estimate.ts #baseOf',
  'ledger/equity-estimate.ts #computeBase',
  'ledger/equity-estimate.ts #computeMoney',
  'ledger/equity-estimate.ts #moneyIn',
  'ledger/owned-bases.ts numberOf',
]

const DRAWS_STRETCHES = ['ledger/equity-estimate.ts note', 'ledger/ledger.ts noteEquity']

const DRAWS_MOMENTS = [
  'ledger/equity-estimate.ts atCloses',
  'ledger/ledger.ts equityAtCloses',
  'ledger/market-prices.ts closeOf',
  'ledger/market-prices.ts get marked',
]

/** The number of signals of a result, and the end of a run. */
const ENDS = [
  'engine/engine.ts dispose',
  'engine/engine.ts get signals',
  'engine/strategy/strategy-runner.ts dispose',
  'engine/strategy/strategy-runner.ts get signals',
]

/** Positions, by which klines say whether the path inside them decides. */
const READS_POSITIONS = ['ledger/books.ts positionsOf', 'ledger/ledger.ts positionsOf']

/** Functions of orders that a live bot alone enters: for its session, its journal, its clock and its operator. */
const OF_LIVE_BOTS = [
  'engine/orders/order-placer.ts nameSession',
  'engine/orders/unfinished-exits.ts get areOfOperator',
  'ledger/ledger-order.ts get fills',
  'ledger/orders.ts #generations',
  'ledger/orders.ts fillsOf',
  'ledger/orders.ts get remembered',
  'ledger/reservation.ts tradesAtMarket',
  'risk/protections/utc-day.ts dayUntil',
  'risk/risk-scope.ts get watchesWorth',
]

/** Where orders are decided, sized, checked, placed and booked. */
const OF_ORDERS =
  /^(engine\/(decisions|orders)|risk|ledger\/(balances|books|fill-position|ledger-order|orders|reservation))\b/

let live: ReadonlySet<string>

/** Functions that a backtest enters and a live bot does not. */
async function ownOf(options: BacktestOptions | MarketsBacktestOptions): Promise<readonly string[]> {
  let fills = 0
  const entered = await functionsEntered(() => {
    fills = runBacktest(options).fills.length
  })
  expect(fills).toBeGreaterThan(10)
  return [...entered].filter(name => !live.has(name)).sort()
}

/**
 * What a backtest does by itself: no function that sizes, checks, places or replaces an order, books a fill or counts money is among
 * it, so an order has one path.
 */
describe('functions of engine, ledger and risk that a backtest enters, and a live bot does not', () => {
  beforeAll(async () => {
    const markets = new Map(['BTC/USDT', 'ETH/USDT'].map(symbol => [symbol, SLICE.columns]))
    const traders = [...markets.keys()].map(symbol => ({ symbol, strategy: trader, parameters: {} }))
    live = new Set([
      ...(await functionsEntered(() => runLive(SLICE, { strategy: trader, parameters: {}, history: 1 }))),
      ...(await functionsEntered(() => runSeveralLive(markets, traders, 1))),
    ])
  }, 120_000)

  const onRows = [...SHOWS_ROWS, ...ASKS, ...DRAWS_EQUITY, ...ENDS]
  const stretches = [...onRows, ...SHOWS_STRETCHES, ...DRAWS_STRETCHES, ...READS_POSITIONS]
  const rowByRow = [...onRows, ...SHOWS_ROW_BY_ROW, ...DRAWS_MOMENTS, ...TELLS_NOBODY]

  it('of one market', async () => {
    expect(await ownOf(ONE)).toEqual([...stretches, ...TELLS_NOBODY].sort())
  })

  it('of one market, with a listener', async () => {
    expect(await ownOf({ ...ONE, onNotice: () => undefined })).toEqual(stretches.toSorted())
  })

  it('of two markets', async () => {
    const markets = [marketOf('ETH/USDT'), marketOf()]
    expect(await ownOf({ ...ACCOUNT, markets })).toEqual([...rowByRow, ...READS_POSITIONS].sort())
  })

  it('of recorded trades', async () => {
    const ticks = tradesWithin(KLINES)
    const klines = klinesOfTrades(ticks.trades, '1m')
    expect(await ownOf({ ...ONE, ticks, klines })).toEqual(rowByRow.toSorted())
  })

  it('leave out none of those of an order', async () => {
    const entered = await functionsEntered(() => runBacktest(ONE))
    const leftOut = [...live].filter(name => OF_ORDERS.test(name) && !entered.has(name))
    expect(leftOut.sort()).toEqual(OF_LIVE_BOTS)
  })
})

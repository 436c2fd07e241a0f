import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BacktestResult } from '../../../backtest/results/backtest-result.ts'
import type { BacktestMarket, MarketsBacktestOptions } from '../../../backtest/run/backtest-options.ts'
import { atOnce } from '../../../backtest/run/resumable.ts'
import { runBacktest } from '../../../backtest/run/run-backtest.ts'
import type { TickData } from '../../../backtest/ticks/tick-data.ts'
import { proveCausal } from '../../../backtest/validation/causality/prove-causal.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { priceOf, quantityOf } from '../../../src/domain/numbers/grid.ts'
import type { SessionRow } from '../../../src/matching/session-row.ts'
import { defineStrategy, enterLong, keepQuotes, type Strategy } from '../../../src/strategy/index.ts'
import { MARGIN, SPOT } from '../../engine/engine-session.ts'
import { saying, type TradeRow, tickBacktest, ticksOf } from './tick-run.ts'

/** Trades of the case within whole minutes: from 0:00 to 0:03. */
const during = (...rows: readonly TradeRow[]) => ticksOf([[0, 100], ...rows, [180_000, 100]])

const other = (instrument: Instrument): Instrument => ({ ...instrument, symbol: 'ETH/USDT', base: 'ETH' })

function market(strategy: Strategy, ticks: TickData, settings: Partial<BacktestMarket> = {}): BacktestMarket {
  return { ...tickBacktest(strategy, ticks), ...settings }
}

function account(
  markets: readonly BacktestMarket[],
  settings: Partial<MarketsBacktestOptions> = {},
): MarketsBacktestOptions {
  const { balances, fills, sizingReference, closeAtEnd } = tickBacktest(saying(), during())
  return { markets, balances, fills, sizingReference, closeAtEnd, ...settings }
}

/** Fills in words: `BTC/USDT buy 1 at 101, 60500`. */
function fillsIn({ fills }: BacktestResult): readonly string[] {
  return fills.map(
    ({ symbol, side, quantity, price, time }) =>
      `${symbol} ${side} ${quantityOf(MARGIN, quantity)} at ${priceOf(MARGIN, price)}, ${time}`,
  )
}

describe('recorded ticks of two markets on one account', () => {
  const buys = saying(enterLong())

  it('are played in one order of time', () => {
    const markets = [
      market(buys, during([60_500, 101])),
      market(buys, during([60_400, 202]), { instrument: other(MARGIN) }),
    ]
    expect(fillsIn(runBacktest(account(markets)))).toEqual([
      'ETH/USDT buy 1 at 202, 60400',
      'BTC/USDT buy 1 at 101, 60500',
    ])
  })

  it('spend its money in that order: who trades later gets what is left', () => {
    const much = saying(enterLong({ size: { base: 45 } }))
    const run = (btc: number, eth: number) => {
      const markets = [
        market(much, during([btc, 150, 60]), { instrument: SPOT }),
        market(much, during([eth, 150, 60]), { instrument: other(SPOT) }),
      ]
      return fillsIn(runBacktest(account(markets)))
    }
    // 45 at 150 cost 6750 of 10000; the 3250 left buy 21.666.
    expect(run(60_400, 60_500)).toEqual([
      'BTC/USDT buy 45 at 150, 60400',
      'ETH/USDT buy 21.666 at 150, 60500',
    ])
    expect(run(60_500, 60_400)).toEqual([
      'ETH/USDT buy 45 at 150, 60400',
      'BTC/USDT buy 21.666 at 150, 60500',
    ])
  })

  it('of a recorded session give each of its orders to one strategy', () => {
    const order: SessionRow = {
      ...{ type: 'order', symbol: 'BTC/USDT', order: '1', side: 'buy', kind: 'immediate', limit: undefined },
      ...{ clientOrderId: `abc-${(60_000).toString(36)}-0`, quantity: '1.000', amount: undefined },
      ...{ at: 60_100, arrivesAt: 60_400 },
    }
    const ticks = {
      ...during([60_350, 101], [60_450, 102]),
      session: { id: 'session', rows: [order] },
    }
    const markets = [market(buys, ticks), market(buys, ticks)]
    // The order of the second strategy takes the 300 ms that the one of the session took.
    expect(fillsIn(runBacktest(account(markets)))).toEqual([
      'BTC/USDT buy 1 at 101, 60350',
      'BTC/USDT buy 1 at 102, 60450',
    ])
  })

  it('of one moment are played in the order of the markets', () => {
    const [btc, eth] = [
      market(buys, during([60_500, 101])),
      market(buys, during([60_500, 202]), { instrument: other(MARGIN) }),
    ]
    const symbols = (markets: readonly BacktestMarket[]) =>
      runBacktest(account(markets)).fills.map(({ symbol }) => symbol)
    expect(symbols([btc, eth])).toEqual(['BTC/USDT', 'ETH/USDT'])
    expect(symbols([eth, btc])).toEqual(['ETH/USDT', 'BTC/USDT'])
  })

  it('give equity at every minute, also of one market whose closes are followed', () => {
    const seen: number[] = []
    const followed = account([market(buys, during([60_500, 101], [120_500, 110]))], {
      onClosed: time => seen.push(time),
    })
    // 1 bought at 101; a minute ends at 101, the next at 110.
    expect(Array.from(runBacktest(followed).equity)).toEqual([10_000, 10_000, 10_009])
    expect(seen).toEqual([60_000, 120_000, 180_000])
  })

  it('are not mixed with klines', () => {
    const { ticks: _, ...klines } = market(buys, during(), { instrument: other(MARGIN) })
    expect(() => runBacktest(account([market(buys, during()), klines]))).toThrow(
      'The data of BTC/USDT are trades and those of ETH/USDT klines',
    )
  })

  it('are refused by a proof of causality, which would leave them as they are', () => {
    const backtest = account([market(buys, during()), market(buys, during(), { instrument: other(MARGIN) })])
    expect(() => atOnce(proveCausal({ backtest, seed: 1 }))).toThrow(
      'replaces the recorded trades of one market only',
    )
  })
})

/** Buys the other market when its own order trades: at once, or at a stop. */
const hedger = (stopPrice?: number) =>
  defineStrategy({
    name: 'hedger',
    markets: ['other'],
    state: () => ({ row: 0 }),
    onKline: (_kline, { state }) => (state.row++ === 0 ? enterLong() : undefined),
    onFill: ({ market: role }) => {
      if (role !== undefined) return
      const order = stopPrice === undefined ? {} : { order: { type: 'stop', stopPrice } as const }
      return enterLong({ market: 'other', ...order })
    },
  })

describe('a strategy with two markets on recorded ticks', () => {
  const hedged = (eth: TickData, stopPrice?: number) => {
    const strategy = hedger(stopPrice)
    const { ticks, klines } = market(strategy, eth)
    const roles = { other: { ticks, klines, instrument: other(MARGIN) } }
    return runBacktest(account([market(strategy, during([60_500, 101]), { roles })]))
  }

  it('trades the other one on the first tick after the fill that led to it', () => {
    const trades: readonly TradeRow[] = [
      [60_400, 201],
      [60_499, 202],
      [60_600, 203],
    ]
    expect(fillsIn(hedged(during(...trades)))).toEqual([
      'BTC/USDT buy 1 at 101, 60500',
      'ETH/USDT buy 1 at 203, 60600',
    ])
  })

  it('is not triggered there by what was seen before', () => {
    const ticks = during([60_400, 120], [60_600, 101], [60_700, 121], [60_800, 122])
    expect(fillsIn(hedged(ticks, 120))).toEqual([
      'BTC/USDT buy 1 at 101, 60500',
      'ETH/USDT buy 1 at 122, 60800',
    ])
  })
})

/** Quotes around every close, at a distance that changes. */
const quoter = defineStrategy({
  name: 'quoter',
  state: () => ({ row: 0 }),
  onKline: ({ close }, { state }) => {
    const distance = (state.row++ % 3) + 0.5
    return keepQuotes([
      { side: 'buy', price: close - distance, size: { base: 1 } },
      { side: 'sell', price: close + distance, size: { base: 1 } },
    ])
  },
})

describe('the ticks of several markets with money for all', () => {
  const trade = fc.tuple(
    fc.integer({ min: 1, max: 299_999 }),
    fc.integer({ min: 95, max: 105 }),
    fc.constantFrom(-2, -1, 1, 2),
  )
  const rows = fc
    .array(trade, { maxLength: 60 })
    .map(trades => trades.toSorted(([left], [right]) => left - right))
    .map(trades => ticksOf([[0, 100], ...trades, [300_000, 100]]))

  it('lead to the fills that each has alone', () => {
    fc.assert(
      fc.property(rows, rows, rows, (...all) => {
        const markets = all.map((ticks, index) =>
          market(quoter, ticks, { instrument: { ...MARGIN, symbol: `A${index}/USDT`, base: `A${index}` } }),
        )
        const rich = { balances: new Map([['USDT', amountOf('1000000')]]) }
        const fillsOf = (of: readonly BacktestMarket[]) => fillsIn(runBacktest(account(of, rich))).toSorted()
        expect(fillsOf(markets)).toEqual(markets.flatMap(one => fillsOf([one])).toSorted())
      }),
      { numRuns: 40 },
    )
  })
})

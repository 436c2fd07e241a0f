import { DEFAULT_FILL_SETTINGS } from '../../backtest/models/fill-settings.ts'
import type { FeedData } from '../../backtest/run/backtest-options.ts'
import { playMarkets } from '../../backtest/run/play-markets.ts'
import { atOnce } from '../../backtest/run/resumable.ts'
import { createBotLog } from '../../src/bot/log/bot-log.ts'
import { logNotice } from '../../src/bot/log/log-notice.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { type Interval, intervalMs } from '../../src/domain/market-data/interval.ts'
import { amountOf } from '../../src/domain/numbers/amount.ts'
import { Engine } from '../../src/engine/engine.ts'
import { instrumentOf } from '../../src/exchange/spot/spot-symbol.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import { klinesIn } from '../../src/klines/kline-columns.ts'
import { resampleKlines } from '../../src/klines/resample/resample-klines.ts'
import { sliceRows } from '../../src/klines/slice-klines.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { followedFeeds } from '../../src/strategy/feeds/followed-feeds.ts'
import type { Strategy } from '../../src/strategy/index.ts'
import { LiveBot } from '../live-bot.ts'
import { LogLines } from './log-lines.ts'

const INTERVAL: Interval = '1m'
const BOT = 'parity'
/** Not a part of equity: live, the order of one strategy may have paid its fee before the next strategy decides. */
const SIZE = { quote: 2000 }

/** A strategy on a symbol. */
export interface Trader {
  readonly symbol: string
  readonly strategy: Strategy
  readonly parameters: Readonly<Record<string, number>>
  /** Symbols of its roles. */
  readonly markets?: Readonly<Record<string, { readonly symbol: string }>>
}

/** Minutes of several symbols, all from the same moment on. */
export type Markets = ReadonlyMap<string, KlineColumns>

/** What a run logged of its orders, fills and round trips. */
export interface Trace {
  readonly orders: readonly object[]
  readonly fills: readonly object[]
  readonly roundTrips: readonly object[]
}

/** Runs the whole live bot against the simulated exchange on virtual time, from the kline `history` on. */
export async function runSeveralLive(
  markets: Markets,
  traders: readonly Trader[],
  history: number,
): Promise<Trace & { readonly instruments: ReadonlyMap<string, Instrument> }> {
  const [first] = markets.values()
  const startAt = first?.openTime[history] ?? 0
  const lines = new LogLines()
  const live = new LiveBot({
    ...{ bot: BOT, startAt, lines },
    exchange: createSimulatedExchange({
      listings: Array.from(markets, ([symbol, columns]) => ({
        symbol,
        market: { type: 'klines', interval: INTERVAL, klines: klinesIn(columns) } as const,
      })),
      liquidity: { spreadTicks: 1 },
    }),
    strategies: traders.map(trader => ({ ...trader, file: '', interval: INTERVAL, size: SIZE })),
  })
  const listed = await live.client.spot.symbols()
  await live.start()
  await live.runTo(startAt + ((first?.length ?? 0) - history) * intervalMs(INTERVAL) - 1)
  return { ...traceOf(lines), instruments: new Map(listed.map(one => [one.symbol, instrumentOf(one)])) }
}

/** Runs the same through the backtest. */
export function runSeveralReplayed(
  markets: Markets,
  traders: readonly Trader[],
  instruments: ReadonlyMap<string, Instrument>,
): Trace {
  const ledger = new Ledger(instruments.values(), [['USDT', amountOf('10000')]])
  const strategies = traders.map(trader => ({ ...trader, interval: INTERVAL, size: SIZE }))
  const engine = new Engine({ bot: BOT, ledger, strategies })
  const lines = new LogLines()
  const log = createBotLog({ level: 'debug', readable: false, stream: lines })
  atOnce(
    playMarkets({
      engine,
      markets: traders.map(trader => {
        const roles = Object.entries(trader.markets ?? {}).map(([role, { symbol }]) => [
          role,
          playedOf(symbol, markets, ledger),
        ])
        const played = { ...playedOf(trader.symbol, markets, ledger), roles: Object.fromEntries(roles) }
        return { ...played, interval: INTERVAL, feeds: feedsFor(trader, markets) }
      }),
      fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0, slippageTicks: 1 },
      sizingReference: 'decision',
      onNotice: notice => logNotice(log, notice, symbol => ledger.instrument(symbol)),
    }),
  )
  return traceOf(lines)
}

function playedOf(symbol: string, markets: Markets, ledger: Ledger) {
  const columns = markets.get(symbol) as KlineColumns // traders trade what there is
  return { instrument: ledger.instrument(symbol), klines: sliceRows(columns, 0, columns.length - 1) }
}

/** Klines of other intervals, made of the minutes. */
function feedsFor({ strategy, ...on }: Trader, markets: Markets): Readonly<Record<string, FeedData>> {
  const followed = followedFeeds(strategy, { ...on, interval: INTERVAL })
  return Object.fromEntries(
    followed.flatMap(({ name, symbol, feed }) => {
      if (name === undefined || feed.type !== 'klines' || feed.interval === INTERVAL) return []
      const { columns } = resampleKlines(markets.get(symbol) as KlineColumns, {
        from: INTERVAL,
        to: feed.interval,
      })
      return [[name, { type: 'klines', klines: columns } as const]]
    }),
  )
}

/** By the order that they are of: what happens at one moment may be told in another order. */
function traceOf(lines: LogLines): Trace {
  return {
    orders: lines.said('order submitted').toSorted(byText),
    fills: lines.said('fill').toSorted(byText),
    roundTrips: lines.said('round trip closed').toSorted(byText),
  }
}

function byText(left: object, right: object): number {
  return JSON.stringify(left) < JSON.stringify(right) ? -1 : 1
}

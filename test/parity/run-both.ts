import { DEFAULT_FILL_SETTINGS } from '../../backtest/models/fill-settings.ts'
import { Replay } from '../../backtest/run/replay.ts'
import { createBotLog } from '../../src/bot/log/bot-log.ts'
import { logNotice } from '../../src/bot/log/log-notice.ts'
import { loadInstruments } from '../../src/bot/venue/load-instruments.ts'
import type { Accounts } from '../../src/config/account-fields.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { type Interval, intervalMs } from '../../src/domain/market-data/interval.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import type { RoundTrip } from '../../src/domain/round-trip.ts'
import { Engine } from '../../src/engine/engine.ts'
import type { Journal } from '../../src/journal/journal.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import type { RiskRules } from '../../src/risk/risk-rules.ts'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import type { Strategy } from '../../src/strategy/index.ts'
import { EXECUTION } from '../bot/execution.ts'
import { declaredOf } from '../bot/margin/margin-bot.ts'
import { LiveBot } from '../live-bot.ts'
import { LogLines } from './log-lines.ts'
import type { MarketSlice } from './market-slice.ts'

const SYMBOL = 'BTC/USDT'
const MINUTES = '1m'
const MINUTE = 60_000
const SIZE = { equityFraction: 0.5 }
const BOT = 'parity'
/** The simulated exchange quotes one tick on either side of the market; so does the replay. */
const SPREAD_TICKS = 1

/** A strategy with its parameters. */
export interface Subject {
  readonly strategy: Strategy
  /** Where it is from, for whoever reads the journal. */
  readonly file?: string
  readonly parameters: Readonly<Record<string, number>>
  /** Length of its klines; those of the slice are minutes. Default: 1m. */
  readonly interval?: Interval
  /** Its klines that lie before the start. */
  readonly history: number
  /** Limits and protections of the account. */
  readonly risk?: RiskRules
  /** What a margin account is declared to hold; by default 10,000 USDT are traded on spot. */
  readonly margin?: Readonly<Record<string, string>>
}

/** What a run logged of its orders and fills. */
export interface Trace {
  readonly orders: readonly object[]
  readonly fills: readonly object[]
  /** Orders whose time to live was over. */
  readonly expired: readonly object[]
  /** Denials, and changes of what holds trading back. */
  readonly risk: readonly object[]
  readonly instrument: Instrument
}

/** What a replay did besides. */
export interface ReplayTrace extends Trace {
  readonly roundTrips: readonly RoundTrip[]
}

/** Runs the whole live bot — streams, engine, executor, client, journal where one is given — against the simulated exchange on virtual time. */
export async function runLive(
  market: MarketSlice,
  { strategy, file = '', parameters, interval = MINUTES, history, risk, margin }: Subject,
  journal?: Journal,
): Promise<Trace> {
  const before = history * (intervalMs(interval) / MINUTE)
  const startAt = market.klines[before]?.openTime ?? 0
  const lines = new LogLines()
  const accounts: Accounts =
    margin === undefined ? { spot: {} } : { margin: { balances: declaredOf(margin), foreignTrades: 'halt' } }
  const live = new LiveBot({
    ...{ bot: BOT, startAt, lines, journal, risk, accounts },
    exchange: createSimulatedExchange({
      listings: [
        { symbol: SYMBOL, market: { type: 'klines', interval: MINUTES, klines: [...market.klines] } },
      ],
      liquidity: { spreadTicks: SPREAD_TICKS },
      ...(margin !== undefined && { accounts: [{ ...TEST_ACCOUNT, balances: {}, marginBalances: margin }] }),
    }),
    strategies: [{ file, strategy, parameters, symbol: SYMBOL, interval, size: SIZE }],
  })
  const instrument = (await loadInstruments(live.client, [SYMBOL], accounts, EXECUTION)).get(SYMBOL)
  if (instrument === undefined) throw new Error('The simulated exchange lists nothing.')
  await live.start()
  await live.runTo(startAt + (market.klines.length - before) * MINUTE - 1)
  return { ...traceOf(lines), instrument }
}

/** Runs the same strategy through the replay. */
export function runReplay(
  market: MarketSlice,
  { strategy, parameters, interval = MINUTES, risk, margin = { USDT: '10000' } }: Subject,
  instrument: Instrument,
): ReplayTrace {
  const ledger = new Ledger([instrument], declaredOf(margin))
  const traded = { strategy, parameters, symbol: SYMBOL, interval, size: SIZE } as const
  const engine = new Engine({ bot: BOT, ledger, strategies: [traded], risk })
  const lines = new LogLines()
  const log = createBotLog({ level: 'debug', readable: false, stream: lines })
  const roundTrips: RoundTrip[] = []
  const replay = new Replay({
    engine,
    instrument,
    interval,
    fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0, slippageTicks: SPREAD_TICKS },
    sizingReference: 'decision',
    onNotice: notice => {
      logNotice(log, notice, () => instrument)
      if (notice.type === 'roundTripClosed') roundTrips.push(notice.roundTrip)
    },
  })
  for (const kline of longer(market.klines, intervalMs(interval) / MINUTE).slice(0, -1)) replay.next(kline)
  return { ...traceOf(lines), instrument, roundTrips }
}

/** Each kline of so many minutes, which begin with the first. */
function longer(minutes: readonly Kline[], count: number): readonly Kline[] {
  const klines: Kline[] = []
  for (let first = 0; first + count <= minutes.length; first += count) {
    const parts = minutes.slice(first, first + count)
    const { openTime, open } = parts[0] as Kline
    let [high, low, close, volume] = [-Infinity, Infinity, 0, 0]
    for (const part of parts) {
      if (part.high > high) high = part.high
      if (part.low < low) low = part.low
      close = part.close
      volume += part.volume
    }
    klines.push({ openTime, open, high, low, close, volume })
  }
  return klines
}

/** Orders as submitted and as expired, and fills as booked. */
function traceOf(lines: LogLines): Omit<Trace, 'instrument'> {
  const risk = ['order denied', 'trading active', 'trading reducing', 'trading halted'].flatMap(message =>
    lines.said(message).map(({ holds: _, ...fields }) => fields),
  )
  return {
    orders: lines.said('order submitted'),
    fills: lines.said('fill'),
    expired: lines.said('order expired'),
    risk,
  }
}

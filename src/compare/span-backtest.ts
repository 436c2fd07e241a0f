import { onTheHour } from '../../backtest/futures/funding-rates.ts'
import type { FuturesData } from '../../backtest/futures/futures-data.ts'
import type { FillSettings } from '../../backtest/models/fill-settings.ts'
import type { FeedData } from '../../backtest/run/backtest-options.ts'
import { playMarkets } from '../../backtest/run/play-markets.ts'
import type { PlayedStrategy } from '../../backtest/run/playback.ts'
import { atOnce } from '../../backtest/run/resumable.ts'
import type { LoadStrategy } from '../bot/state/bot-state.ts'
import type { JournaledStrategy } from '../bot/state/session-record.ts'
import { rulesOf } from '../domain/account-rules.ts'
import type { Instrument } from '../domain/instrument.ts'
import type { Interval } from '../domain/market-data/interval.ts'
import { type Amount, absolute, amountFromNumber, amountToNumber } from '../domain/numbers/amount.ts'
import { InvariantError } from '../domain/sluice-error.ts'
import { Engine } from '../engine/engine.ts'
import { shownData } from '../engine/routing/shown-data.ts'
import { columnsFrom, type KlineColumns } from '../klines/kline-columns.ts'
import { Ledger } from '../ledger/ledger.ts'
import type { Strategy } from '../strategy/define-strategy.ts'
import type { LiveRecord } from './live-record.ts'
import { apart, comparedSession, type FlatMoment, klinesOf } from './live-span.ts'
import { MarkPlayer } from './mark-player.ts'
import { type RecordedFill, TradingRecord } from './trading-record.ts'

/** Everything that a backtest of a span is made of. */
export interface SpanBacktest {
  readonly start: FlatMoment
  readonly live: LiveRecord
  readonly fills: FillSettings
  readonly load: LoadStrategy
}

/** Record of the backtest of a span, and its engine at the end. */
export interface PlayedSpan {
  readonly trading: TradingRecord
  readonly engine: Engine
  /** Worth of the account at the start, in quote. */
  readonly startEquity: Amount
}

/** The klines that a bot has seen since a flat moment, of one stream. */
function seenKlines(
  { start, live }: Pick<SpanBacktest, 'start' | 'live'>,
  symbol: string,
  interval: Interval,
): KlineColumns {
  const after = klinesOf(start, symbol, interval).at(-1)?.openTime ?? Number.NEGATIVE_INFINITY
  const seen = [...(live.klines.get(`${symbol} ${interval}`)?.values() ?? [])]
  return columnsFrom(
    seen.filter(({ openTime }) => openTime > after).sort((left, right) => left.openTime - right.openTime),
  )
}

/** Plays what a bot has seen since a flat moment through its own strategies, and goes on from its state at that moment. */
export async function playSpan(span: SpanBacktest): Promise<PlayedSpan> {
  const session = comparedSession(span.live)
  const { bot, risk, instruments, balances } = session
  const strategies = await Promise.all(
    session.strategies.map(async ({ file, ...declared }) => ({
      ...declared,
      strategy: await span.load(file),
    })),
  )
  const engine = new Engine({ bot, risk, ledger: new Ledger(instruments, balances), strategies })
  engine.restore(apart(span.start.engine), (symbol, interval) => klinesOf(span.start, symbol, interval))
  const startEquity = worthOf(engine)
  const trading = new TradingRecord()
  let priceBefore: RecordedFill | undefined
  atOnce(
    playMarkets({
      engine,
      markets: strategies.map((declared, index) =>
        playedStrategy(span, session.instruments, declared, engine, index),
      ),
      fills: span.fills,
      sizingReference: 'decision',
      feesOf: ({ symbol, decidedAt }) =>
        span.live.feesAt(symbol, decidedAt) ?? engine.ledger.instrument(symbol).fees,
      onFill: fill => {
        priceBefore = fill
      },
      onNotice: notice =>
        trading.take(
          notice.type === 'fillBooked' && notice.fill.id === priceBefore?.id
            ? { ...notice, fill: priceBefore }
            : notice,
        ),
      data: [new MarkPlayer(engine, span.live.marks)],
    }),
  )
  // A playback tells no changes of quantity.
  for (const { request } of engine.ledger.orders.working)
    trading.resize(request.clientOrderId, request.quantity)
  return { trading, engine, startEquity }
}

/** Worth of the account, to divide by. */
function worthOf({ ledger }: Engine): Amount {
  const worth = absolute(ledger.equity(ledger.instruments[0]?.quote ?? ''))
  return worth === 0n ? amountFromNumber(1) : worth
}

function playedStrategy(
  span: SpanBacktest,
  instruments: readonly Instrument[],
  { symbol, interval, markets = {} }: Omit<JournaledStrategy, 'file'> & { readonly strategy: Strategy },
  engine: Engine,
  index: number,
): PlayedStrategy {
  const marketOf = (of: string) => ({
    instrument: instrumentIn(instruments, of),
    klines: seenKlines(span, of, interval),
    futures: futuresOf(span.live, instrumentIn(instruments, of)),
  })
  const roles = Object.entries(markets).map(([role, { symbol: of }]) => [role, marketOf(of)] as const)
  const feeds = (engine.runners[index]?.feeds ?? []).map(
    ({ followed }) => [followed.name ?? '', feedData(span, followed)] as const,
  )
  return {
    ...marketOf(symbol),
    interval,
    roles: Object.fromEntries(roles),
    feeds: Object.fromEntries(feeds),
  }
}

type Followed = Engine['runners'][number]['feeds'][number]['followed']

function feedData(span: SpanBacktest, { feed, symbol }: Followed): FeedData {
  if (feed.type === 'klines') return { type: 'klines', klines: seenKlines(span, symbol, feed.interval) }
  const events = span.live.data.filter(
    event => event.symbol === symbol && shownData(event).type === feed.type,
  )
  return { type: 'data', events }
}

function instrumentIn(instruments: readonly Instrument[], symbol: string): Instrument {
  const instrument = instruments.find(one => one.symbol === symbol)
  if (instrument === undefined) throw new InvariantError(`The session does not trade ${symbol}.`)
  return instrument
}

/** Funding at the rates of the settlements that the bot met. */
function futuresOf({ trading }: LiveRecord, instrument: Instrument): FuturesData | undefined {
  if (!rulesOf(instrument).holdsContracts) return undefined
  const rates = new Map(
    trading.fundings
      .filter(({ symbol }) => symbol === instrument.symbol)
      .map(({ time, rate }) => [onTheHour(time), amountToNumber(rate)]),
  )
  const time = [...rates.keys()].sort((left, right) => left - right)
  return {
    funding: {
      type: 'list',
      length: time.length,
      time: Float64Array.from(time),
      rate: Float64Array.from(time, at => rates.get(at) ?? 0),
    },
  }
}

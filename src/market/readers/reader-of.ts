import type { SchedulerLike } from 'rxjs'
import type { Kline } from '../../domain/market-data/kline.ts'
import { depthProblem, indexPriceProblem } from '../implausible.ts'
import type { MarketClient } from '../market-client.ts'
import type { MarketFact } from '../market-event.ts'
import { futuresCallsOf, klineCallOf } from '../market-klines.ts'
import { type Market, streamOf } from '../market-subscription.ts'
import { readKlines } from '../polls/kline-call.ts'
import { PeriodicPace } from '../polls/periodic-pace.ts'
import type { KlineWork, PeriodicWork, PlannedPeriodicPoll, StartedPoll } from '../polls/poll-plan.ts'
import type { PollReader } from '../polls/poll-reader.ts'
import type { KlineRequest } from '../sequences/kline-sequence.ts'
import type { LastPrices } from '../sequences/last-prices.ts'
import { KlineReader } from './kline-reader.ts'
import { ListingsReader } from './listings-reader.ts'
import { SnapshotReader } from './snapshot-reader.ts'
import { TickerReader } from './ticker-reader.ts'
import { TradeReader } from './trade-reader.ts'

type SnapshotWork = Extract<PeriodicWork, { type: 'depth' | 'indexPrice' }>

/** Dependencies that all readers share. */
export interface ReaderContext {
  readonly client: MarketClient
  readonly lastPrices: LastPrices
  readonly scheduler: SchedulerLike
  /** Exchange time, ms UTC. */
  readonly serverNow: () => number
}

/** Reader of a poll; throws `UsageError` for a futures poll if the client has no futures. */
export function readerOf(poll: StartedPoll, context: ReaderContext): PollReader {
  if (poll.work.market === 'futures') futuresCallsOf(context.client)
  if (poll.type === 'periodic') return periodicReader(poll, context)
  const { work, delayMs } = poll
  return new KlineReader({
    ...context,
    work,
    delayMs,
    ask: request => askKlines(work, request, context.client),
  })
}

function periodicReader({ work, timing }: PlannedPeriodicPoll, context: ReaderContext): PollReader {
  const { client, scheduler } = context
  const pace = new PeriodicPace(timing, scheduler.now())
  switch (work.type) {
    case 'tickers':
      return new TickerReader({ ...context, work, pace })
    case 'trades':
      return new TradeReader({ symbol: work.symbol, pace, client, scheduler })
    case 'listings': {
      const { market, known } = work
      return new ListingsReader({ market, known, pace, ask: () => askListings(market, client), scheduler })
    }
    case 'depth':
    case 'indexPrice': {
      const ask = () => askSnapshot(work, client)
      return new SnapshotReader({ stream: streamOf(work), pace, ask, problemOf: snapshotProblem, scheduler })
    }
  }
}

function askKlines(
  { market, symbol, interval, part }: KlineWork,
  { limit, window }: KlineRequest,
  client: MarketClient,
): Promise<readonly Kline[]> {
  return readKlines(klineCallOf(market, client), { symbol, interval, part, limit, ...window })
}

async function askSnapshot(work: SnapshotWork, client: MarketClient): Promise<MarketFact> {
  const { symbol, market } = work
  if (work.type === 'indexPrice') {
    const indexPrice = await futuresCallsOf(client).indexPrice({ contractName: symbol })
    return { type: 'indexPrice', market: 'futures', symbol, indexPrice }
  }
  const limit = work.levels
  const depth =
    market === 'spot'
      ? await client.spot.depth({ symbol, limit })
      : await futuresCallsOf(client).depth({ contractName: symbol, limit })
  return { type: 'depth', market, symbol, depth }
}

/** Description of an impossible value, a whole sentence; `undefined` if all values are possible. */
function snapshotProblem(fact: MarketFact): string | undefined {
  if (fact.type === 'depth') return sentence(`order book of ${fact.symbol}`, depthProblem(fact.depth))
  if (fact.type !== 'indexPrice') return undefined
  return sentence(`index price of ${fact.symbol}`, indexPriceProblem(fact.indexPrice))
}

function sentence(what: string, problem: string | undefined): string | undefined {
  return problem && `The ${what} is refused: ${problem}.`
}

async function askListings(
  market: Market,
  client: MarketClient,
): Promise<readonly (readonly [string, object])[]> {
  return market === 'spot'
    ? (await client.spot.symbols()).map(listed => [listed.symbol, listed])
    : (await futuresCallsOf(client).contracts()).map(listed => [listed.contractName, listed])
}

import { weightOf } from '../../exchange/endpoints/endpoint.ts'
import { ENDPOINTS, type EndpointKey } from '../../exchange/endpoints.ts'
import type { KlineSubscription } from '../market-subscription.ts'
import type { PeriodicWork, PlannedPeriodicPoll, PollBudget } from './poll-plan.ts'
import type { SharedStream } from './shared-streams.ts'
import type { StretchablePoll } from './stretched-periods.ts'
import { futuresTickerBatches, spotTickerBatches, type TickerBatch } from './ticker-batches.ts'

const MINUTE = 60_000
/** Spreads the first reads of any number of periodic polls evenly. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2

type PacedStream = Exclude<SharedStream, KlineSubscription>

/** A periodic poll whose period is not yet chosen. */
export interface PacedPoll extends StretchablePoll, Pick<PlannedPeriodicPoll, 'name' | 'work' | 'endpoint'> {}

/** Polls that read these streams in as few and cheap calls as possible, without the calls that the host lacks. */
export function pacedPolls(
  streams: readonly PacedStream[],
  lacks: readonly EndpointKey[],
): readonly PacedPoll[] {
  const tickers = streams.filter(stream => stream.type === 'ticker')
  const spot = spotTickerBatches(tickers.filter(({ market }) => market === 'spot'))
  const futures = futuresTickerBatches(
    tickers.filter(({ market }) => market === 'futures'),
    !lacks.includes('futuresTickerAll'),
  )
  return [
    ...spot.map(batch => tickerPoll('spot', batch, 'spotTicker')),
    ...futures.map(batch => tickerPoll('futures', batch, batch.all ? 'futuresTickerAll' : 'futuresTicker')),
    ...streams.flatMap(stream => (stream.type === 'ticker' ? [] : [singlePoll(stream)])),
  ]
}

function tickerPoll(
  market: 'spot' | 'futures',
  { symbols, all, ...pace }: TickerBatch,
  endpoint: EndpointKey,
): PacedPoll {
  const [first, ...others] = symbols
  const name = others.length === 0 ? `ticker of ${first}` : `tickers of ${first} and ${others.length} more`
  return { ...pace, name, work: { type: 'tickers', market, symbols, all }, endpoint }
}

function singlePoll(stream: Exclude<PacedStream, { type: 'ticker' }>): PacedPoll {
  const { everyMs, slowestMs } = stream
  const row = (name: string, work: PeriodicWork, endpoint: EndpointKey): PacedPoll => {
    return { name, work, endpoint, weight: weightOf(ENDPOINTS[endpoint], {}), everyMs, slowestMs }
  }
  const { market } = stream
  switch (stream.type) {
    case 'depth': {
      const { symbol, levels } = stream
      const endpoint = market === 'spot' ? 'spotDepth' : 'futuresDepth'
      return row(`depth of ${symbol}`, { type: 'depth', market, symbol, levels }, endpoint)
    }
    case 'trades':
      return row(
        `trades of ${stream.symbol}`,
        { type: 'trades', market: 'spot', symbol: stream.symbol },
        'spotTrades',
      )
    case 'indexPrice': {
      const { symbol } = stream
      return row(
        `index price of ${symbol}`,
        { type: 'indexPrice', market: 'futures', symbol },
        'futuresIndex',
      )
    }
    case 'listings': {
      const name = market === 'spot' ? 'spot symbols' : 'futures contracts'
      const { known } = stream
      const work = { type: 'listings', market, ...(known !== undefined && { known }) } as const
      return row(name, work, market === 'spot' ? 'spotSymbols' : 'futuresContracts')
    }
  }
}

/** The poll with its period; `index` is its position among all periodic polls. */
export function periodicPoll(
  { name, work, endpoint, weight, everyMs: wantedMs }: PacedPoll,
  everyMs: number,
  index: number,
  { callMs }: PollBudget,
): PlannedPeriodicPoll {
  // Lists are compared with the first one, so it is read at once.
  const isList = work.type === 'listings'
  const firstAfterMs = isList ? 0 : Math.round(((index * GOLDEN_RATIO) % 1) * everyMs)
  // An answer has the age of half its call, and ages until the next one.
  const freshness = { p50Ms: (everyMs + callMs) / 2, p99Ms: 0.99 * everyMs + callMs / 2 }
  const timing = { everyMs, wantedMs, firstAfterMs }
  const weightPerMinute = (weight * MINUTE) / everyMs
  return { type: 'periodic', name, work, timing, endpoint, weight, weightPerMinute, freshness }
}

import { closeTimeOf } from '../../src/domain/market-data/interval.ts'
import type { MarketDataEvent } from '../../src/domain/market-data/market-data.ts'
import { shownData } from '../../src/engine/routing/shown-data.ts'
import { columnsFrom, klineAt, klinesIn } from '../../src/klines/kline-columns.ts'
import { firstRowAtOrAfter } from '../../src/klines/row-search.ts'
import { sliceRows } from '../../src/klines/slice-klines.ts'
import type { BacktestMarket, FeedData, MarketsBacktestOptions } from '../run/backtest-options.ts'
import { feedsOf, isAlone } from '../run/feed-data.ts'
import type { CausalSubject } from './causality/causal-subject.ts'
import { HiddenFuture } from './causality/hidden-future.ts'
import { type OtherFuture, withOtherFuture } from './causality/other-future.ts'
import { type Difference, errorDifference, recordedDifference } from './first-difference.ts'
import { recordMarkets } from './record-markets.ts'
import type { RunRecord } from './run-record.ts'

/**
 * A run of several markets: its rows are the moments at which klines of any of them closed. At such a moment
 * the future of all of them changes together, also the rest of klines that have opened and not closed; so
 * look-ahead passed between strategies is found as well. A market that has not begun by then keeps its first
 * kline.
 */
export function marketsSubject(backtest: MarketsBacktestOptions): CausalSubject {
  return {
    record: () => recordMarkets(backtest),
    recordWith(future, baseline) {
      const time = baseline.moments?.[future.cut]
      const markets = backtest.markets.map((market, index) =>
        withOthersFrom(market, time ?? Number.POSITIVE_INFINITY, { ...future, seed: future.seed + index }),
      )
      return recordMarkets({ ...backtest, markets })
    },
    recordHidden(hiding) {
      const reveal = new HiddenFuture(hiding)
      reveal.closing(Math.min(...backtest.markets.map(({ klines: { openTime } }) => openTime[0] ?? 0)))
      return recordMarkets({ ...backtest, reveal, markets: backtest.markets.map(of => hiddenIn(of, reveal)) })
    },
    difference: marketsDifference,
  }
}

/** A market with klines, also of roles and feeds, that appear when they have closed. */
function hiddenIn(market: BacktestMarket, reveal: HiddenFuture): BacktestMarket {
  const { roles = {}, feeds = {}, interval } = market
  const lengths = new Map(isAlone(market) ? [] : feedsOf(market).map(({ name, feed }) => [name, feed]))
  return {
    ...market,
    klines: reveal.hide(market.klines, interval),
    roles: mapped(roles, (_, role) => ({ ...role, klines: reveal.hide(role.klines, interval) })),
    feeds: mapped(feeds, (name, data) => {
      const feed = lengths.get(name)
      if (data.type === 'data' || feed?.type !== 'klines') return data
      return { ...data, klines: reveal.hide(data.klines, feed.interval) }
    }),
  }
}

/** The record of each moment is in order, so that all of it up to the cut must be the same. */
function marketsDifference(before: RunRecord, after: RunRecord, cut: number): Difference | undefined {
  const isPast = ({ row }: { readonly row: number }) => row <= cut
  return [
    errorDifference(before, after, cut),
    recordedDifference(before.entries.filter(isPast), after.entries.filter(isPast)),
    equityDifference(before, after, cut),
  ]
    .filter(difference => difference !== undefined)
    .sort((left, right) => left.row - right.row)[0]
}

function equityDifference(before: RunRecord, after: RunRecord, cut: number): Difference | undefined {
  if (before.result === undefined || after.result === undefined) return undefined
  const textAt = ({ equityTime, equity }: typeof before.result, row: number) =>
    row < equity.length ? `${equity[row]} at ${equityTime[row]}` : undefined
  for (let row = 0; row <= cut; row++) {
    const [left, right] = [textAt(before.result, row), textAt(after.result, row)]
    if (left !== right) return { what: 'equity', handler: undefined, row, before: left, after: right }
  }
  return undefined
}

/** A market with another future from `time` on (ms UTC), also in the feeds of its strategy. */
function withOthersFrom(market: BacktestMarket, time: number, future: OtherFuture): BacktestMarket {
  const { roles = {}, feeds = {}, interval } = market
  const other = withFutureFrom(market, time, future)
  if (isAlone(market)) return other
  const followed = feedsOf(market)
  let seed = future.seed
  const next = () => ({ ...future, seed: ++seed * 31 })
  const otherFeed = (name: string, data: FeedData): FeedData => {
    if (data.type === 'data') return { ...data, events: data.events.map(event => otherData(event, time)) }
    const of = followed.find(feed => feed.name === name)?.feed
    const length = of?.type === 'klines' ? of.interval : interval
    return { ...data, klines: withFutureFrom({ klines: data.klines, interval: length }, time, next()).klines }
  }
  return {
    ...other,
    roles: mapped(roles, (_, role) => ({ ...role, ...withFutureFrom({ ...role, interval }, time, next()) })),
    feeds: mapped(feeds, otherFeed),
  }
}

/** A datum that is known after `time` (ms UTC) with other numbers. */
function otherData(event: MarketDataEvent, time: number): MarketDataEvent {
  if (shownData(event).datum.time <= time) return event
  if (event.type === 'fundingRateSeen') {
    const { fundingRate } = event
    return { ...event, fundingRate: { ...fundingRate, rate: -fundingRate.rate - OTHER_RATE } }
  }
  if (event.type !== 'indexPriceSeen') return event
  const { indexPrice } = event
  return { ...event, indexPrice: { ...indexPrice, mark: indexPrice.mark * OTHER_PRICE } }
}

const OTHER_RATE = 0.0001
const OTHER_PRICE = 0.97

function mapped<Value>(
  record: Readonly<Record<string, Value>>,
  other: (name: string, value: Value) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, other(name, value)]))
}

/** Klines with another future from `time` on (ms UTC). */
function withFutureFrom<Market extends Pick<BacktestMarket, 'klines' | 'interval' | 'detail'>>(
  market: Market,
  time: number,
  future: OtherFuture,
): Market {
  const { klines, interval, detail } = market
  const next = firstRowAtOrAfter(klines.openTime, time)
  const latest = klines.openTime[next - 1]
  const isOpened = latest !== undefined && closeTimeOf(latest, interval) > time
  const cut = isOpened ? next - 2 : Math.max(0, next - 1)
  if (cut + 1 >= klines.length) return market
  const other = withOtherFuture(klines, interval, { ...future, cut, isOpened })
  if (detail === undefined) return { ...market, klines: other }
  const past = sliceRows(detail.klines, 0, firstRowAtOrAfter(detail.klines.openTime, time))
  const finer = columnsFrom([...klinesIn(past), klineAt(other, other.length - 1)])
  return { ...market, klines: other, detail: { ...detail, klines: finer } }
}

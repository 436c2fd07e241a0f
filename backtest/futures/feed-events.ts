import { closeTimeOf, type Interval } from '../../src/domain/market-data/interval.ts'
import type { FundingRateSeen, IndexPriceSeen } from '../../src/domain/market-data/market-data.ts'
import { amountToText } from '../../src/domain/numbers/amount.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import { type FundingRates, nextSettlement } from './funding-rates.ts'

/** Mark price events of a contract's feed: the close of each kline, once it has closed. */
export function markEvents(
  symbol: string,
  mark: KlineColumns,
  interval: Interval,
): readonly IndexPriceSeen[] {
  return Array.from(mark.openTime, (openTime, row) => ({
    type: 'indexPriceSeen',
    symbol,
    indexPrice: {
      time: closeTimeOf(openTime, interval),
      index: undefined,
      mark: mark.close[row] as number, // as many as open times
      fundingRate: undefined,
    },
  }))
}

/** Funding events of a feed: the rate of each settlement up to the last of some klines, at its time. */
export function fundingEvents(
  symbol: string,
  rates: FundingRates,
  klines: KlineColumns,
): readonly FundingRateSeen[] {
  const [start, end] = [klines.openTime[0] ?? 0, klines.openTime.at(-1) ?? 0]
  const eventOf = (time: number, rate: number): FundingRateSeen => ({
    type: 'fundingRateSeen',
    symbol,
    fundingRate: { time, rate },
  })
  if (rates.type === 'list') {
    const rows = Array.from(rates.time, (time, row) => eventOf(time, rates.rate[row] as number)) // one for each
    return rows.filter(({ fundingRate: { time } }) => time <= end)
  }
  const rate = Number(amountToText(rates.rate))
  const events: FundingRateSeen[] = []
  for (let next = nextSettlement(rates, start); next !== undefined && next.time <= end; ) {
    events.push(eventOf(next.time, rate))
    next = nextSettlement(rates, next.time)
  }
  return events
}

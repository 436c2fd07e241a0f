import { quantityUnit } from '../../../src/domain/instrument.ts'
import { InvariantError } from '../../../src/domain/sluice-error.ts'
import type { ReplayedMarket } from '../../metrics/market.ts'
import { endOf } from '../../metrics/returns/equity-curve.ts'
import type { PageChart, PageData } from '../page-data.ts'
import { moneyFormatFor } from '../text/figure-text.ts'
import type { TradingReport } from '../trading-report.ts'
import { pageAccount } from './page-account.ts'
import { pageEquity } from './page-equity.ts'
import { MOST_KLINES, pageKlines, shownKlines } from './page-klines.ts'
import { pageRecord } from './page-record.ts'
import { pageTrips } from './page-trips.ts'
import { SPAN_LENGTHS } from './span-length.ts'

/** Data of a report for the page's script, bounded for any length of the run. */
export function pageDataOf(report: TradingReport): PageData {
  const [first, ...others] = report.markets
  if (first === undefined) throw new InvariantError('A report has at least one market.')
  const { decimals } = moneyFormatFor(report.quote, report.equity.startEquity)
  return {
    quote: report.quote,
    moneyDecimals: decimals,
    spanLengths: SPAN_LENGTHS,
    equity: pageEquity(report),
    ...chartOf(first, report, decimals),
    ...(others.length > 0 && { others: others.map(market => chartOf(market, report, decimals)) }),
  }
}

/** A market with its round trips; of many markets each has fewer klines, so that the page stays bounded. */
function chartOf(market: ReplayedMarket, report: TradingReport, decimals: number): PageChart {
  const { symbol, pricePrecision, quantityPrecision } = market.instrument
  const most = Math.ceil(MOST_KLINES / report.markets.length)
  return {
    market: { symbol, base: quantityUnit(market.instrument), pricePrecision, quantityPrecision },
    klines: pageKlines(market, most),
    trips: pageTrips(report, market.book ?? symbol, decimals),
    ...pageAccount(report.equity, shownKlines(market, most).shown.openTime, decimals),
    ...pageRecord(market, most, report.charts?.get(market.book ?? symbol), endOf(report.equity).time),
  }
}

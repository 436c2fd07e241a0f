import { quantityUnit } from '../../../src/domain/instrument.ts'
import { InvariantError } from '../../../src/domain/sluice-error.ts'
import type { ReplayedMarket } from '../../metrics/market.ts'
import { endOf } from '../../metrics/returns/equity-curve.ts'
import type { PageChart, PageData } from '../page-data.ts'
import type { TradingReport } from '../trading-report.ts'
import { equityDecimals, pageAccount } from './page-account.ts'
import { pageEquity } from './page-equity.ts'
import { MOST_KLINES, pageKlines, shownKlines } from './page-klines.ts'
import { pageRecord } from './page-record.ts'
import { pageTrips } from './page-trips.ts'
import { SPAN_LENGTHS } from './span-length.ts'

/** Data of a report for the page's script, bounded for any length of the run. */
export function pageDataOf(report: TradingReport): PageData {
  const [first, ...others] = report.markets
  if (first === undefined) throw new InvariantError('A report has at least one market.')
  return {
    quote: report.quote,
    spanLengths: SPAN_LENGTHS,
    equity: pageEquity(report),
    ...chartOf(first, report),
    ...(others.length > 0 && { others: others.map(market => chartOf(market, report)) }),
  }
}

/** A market with its round trips; of many markets each has fewer klines, so that the page stays bounded. */
function chartOf(market: ReplayedMarket, report: TradingReport): PageChart {
  const { symbol, pricePrecision, quantityPrecision } = market.instrument
  const most = Math.ceil(MOST_KLINES / report.markets.length)
  return {
    market: { symbol, base: quantityUnit(market.instrument), pricePrecision, quantityPrecision },
    klines: pageKlines(market, most),
    trips: pageTrips(report, market.book ?? symbol),
    ...pageAccount(
      report.equity,
      shownKlines(market, most).shown.openTime,
      equityDecimals(report.equity.startEquity),
    ),
    ...pageRecord(market, most, report.charts?.get(market.book ?? symbol), endOf(report.equity).time),
  }
}

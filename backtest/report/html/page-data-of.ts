import { quantityUnit } from '../../../src/domain/instrument.ts'
import { InvariantError } from '../../../src/domain/sluice-error.ts'
import type { BacktestReport } from '../backtest-report.ts'
import { moneyFormatFor } from '../figure-text.ts'
import type { PageData } from '../page-data.ts'
import { pageEquity } from './page-equity.ts'
import { pageKlines } from './page-klines.ts'
import { pageTrips } from './page-trips.ts'
import { SPAN_LENGTHS } from './span-length.ts'

/** What the script of a page needs of a report: bounded, whatever the length of the run. */
export function pageDataOf(report: BacktestReport): PageData {
  const [market] = report.markets
  if (market === undefined) throw new InvariantError('A report has at least one market.')
  const { symbol, pricePrecision, quantityPrecision } = market.instrument
  const base = quantityUnit(market.instrument)
  const { decimals } = moneyFormatFor(report.quote, report.equity.startEquity)
  return {
    quote: report.quote,
    moneyDecimals: decimals,
    market: { symbol, base, pricePrecision, quantityPrecision },
    spanLengths: SPAN_LENGTHS,
    klines: pageKlines(market),
    equity: pageEquity(report),
    trips: pageTrips(report, symbol, decimals),
  }
}

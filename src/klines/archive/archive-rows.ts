import type { Interval } from '../../domain/market-data/interval.ts'
import { klinesBetween } from '../check-interval.ts'
import { firstOpenTime } from '../download/absent-spans.ts'
import { readKlineTable } from '../formats/read-kline-table.ts'
import { readFundingFile, readTradeColumns } from '../formats/read-series-file.ts'
import { requireSound } from '../formats/require-sound.ts'
import { sliceKlines } from '../slice-klines.ts'
import { columnsWithin } from '../store/columns-within.ts'
import type { KlineStore, StoredMarket } from '../store/kline-store.ts'
import {
  type Columns,
  columnsOf,
  FUNDING_LAYOUT,
  type FundingName,
  type KlineName,
  type TableLayout,
  TRADE_LAYOUT,
  type TradeName,
  tableOf,
} from '../store/table-layout.ts'
import type { ArchiveDownload, ArchiveSpan } from './download-archive.ts'

/** The part of a download that depends on the type of its rows. */
export type ArchiveRows<Name extends string> = Pick<ArchiveDownload<Name>, 'target' | 'read' | 'isComplete'>

/** Klines of an interval, in a store. */
export function archiveKlines(
  store: KlineStore,
  market: StoredMarket & { readonly interval: Interval },
): ArchiveRows<KlineName> {
  const target = store.klines(market)
  const { interval } = market
  return {
    target,
    read: async (path, span) => sliceKlines(requireSound(await readKlineTable(path), path), span),
    isComplete: ({ from, to }) => {
      const span = { from: firstOpenTime(from, interval), to: firstOpenTime(to, interval) }
      return target.read(span).length === klinesBetween(span.from, span.to, interval)
    },
  }
}

/** Funding rates, in a store. */
export function archiveFunding(store: KlineStore, market: StoredMarket): ArchiveRows<FundingName> {
  const read = async (path: string, span: ArchiveSpan) =>
    within(FUNDING_LAYOUT, await readFundingFile(path), span)
  return { target: store.funding(market), read }
}

/** Public trades, in a store. */
export function archiveTrades(store: KlineStore, market: StoredMarket): ArchiveRows<TradeName> {
  const read = async (path: string, span: ArchiveSpan) =>
    within(TRADE_LAYOUT, await readTradeColumns(path), span)
  return { target: store.trades(market), read }
}

function within<Name extends string>(layout: TableLayout<Name>, table: Columns<Name>, span: ArchiveSpan) {
  return tableOf(layout, columnsWithin(columnsOf(layout, table), span))
}

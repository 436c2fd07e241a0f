import Table from 'cli-table3'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { KlineStore } from '../../klines/store/kline-store.ts'
import type { SeriesListing } from '../../klines/store/list-series.ts'
import type { OutputStreams } from '../streams.ts'

export interface ListCommandOptions {
  readonly store: string
  readonly json: boolean
}

const HEAD = ['venue', 'symbol', 'interval', 'from', 'to', 'rows', 'gaps', 'absent', 'MB']

/** Lists the store; the exit code is 1 if it has an unusable file. */
export function runList({ store, json }: ListCommandOptions, { out, err }: OutputStreams): number {
  const { series, damaged } = new KlineStore(store).list()
  if (json) out.write(`${JSON.stringify({ series, damaged })}\n`)
  else {
    out.write(series.length === 0 ? `The store ${store} is empty.\n` : `${tableOf(series)}\n`)
    for (const sentence of damaged) err.write(`${sentence}\n`)
  }
  return damaged.length === 0 ? 0 : 1
}

function tableOf(series: readonly SeriesListing[]): string {
  const table = new Table({
    head: HEAD,
    colAligns: HEAD.map((_, index) => (index < 5 ? 'left' : 'right')),
    style: { head: [], border: [], compact: true },
  })
  table.push(...series.map(rowOf))
  return table.toString()
}

function rowOf(listing: SeriesListing): string[] {
  const { venue, symbol, series, first, last, rows, gaps, missing, bytes } = listing
  const counts = [rows, gaps, missing].map(count => (count === undefined ? '-' : String(count)))
  return [venue, symbol, series, timeText(first), timeText(last), ...counts, (bytes / 1e6).toFixed(2)]
}

function timeText(time: number): string {
  return utcText(time).slice(0, 16).replace('T', ' ')
}

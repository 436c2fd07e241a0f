import { join } from 'node:path'
import { utcText } from '../../domain/market-data/civil-date.ts'
import { makePrivateFolder } from '../../files/private-file.ts'
import { marketPath } from '../store/series-name.ts'
import type {
  RecordedBook,
  RecordedGap,
  RecordedIndex,
  RecordedLevel,
  RecordedTrade,
} from './recorded-row.ts'
import { TickFile } from './tick-file.ts'

/** Columns of each kind of file. The backtest reads `trades` by `--ticks` and `top` by `--book`. */
export const TICK_HEADERS = {
  trades: 'local_ns,exch_ms,trade_id,price,qty,buyer_is_maker',
  top: 'local_ns,exch_ms,update_id,bid,bid_qty,ask,ask_qty',
  depth: 'local_ns,exch_ms,bids,asks',
  index: 'local_ns,exch_ms,mark,index,funding_rate',
  gaps: 'local_ns,from_ms,until_ms,reason',
} as const

const NS_PER_MS = 1_000_000n

/** A kind of recorded rows. */
export type TickKind = keyof typeof TICK_HEADERS

/**
 * Records what a host tells of its markets: one CSV file for each symbol, kind and UTC day, in
 * `FOLDER/VENUE/SYMBOL/ticks`. Rows are only ever appended. A process that is killed loses the rows added since
 * the last `flush`, nothing else.
 */
export class TickRecorder {
  readonly #folder: string
  readonly #venue: string
  /** The latest stamp, ns UTC. */
  #latest = 0n
  /** Open files by symbol and kind; one day at a time. */
  readonly #files = new Map<string, { readonly day: string; readonly file: TickFile }>()

  /** `venue` is a folder name, such as `koinbay`. Creates nothing before the first row. */
  constructor(folder: string, venue: string) {
    this.#folder = folder
    this.#venue = venue
  }

  /**
   * Stamp of the next row, ns UTC as text: `localMs`, and behind it the place among the rows of that ms, so that
   * all rows of a recorder have one order.
   */
  stamp(localMs: number): string {
    const first = BigInt(Math.round(localMs)) * NS_PER_MS
    this.#latest = first > this.#latest ? first : this.#latest + 1n
    return this.#latest.toString()
  }

  /** Adds trades of a symbol, oldest first; throws `UsageError` for an invalid symbol or venue. */
  trades(symbol: string, rows: readonly RecordedTrade[]): void {
    for (const { localMs, time, id, price, quantity, side } of rows)
      this.#add(symbol, 'trades', localMs, [time, id, price, quantity, side === 'sell' ? 1 : 0])
  }

  /** Adds an order book; its best prices are recorded as well, where it has both. */
  book(symbol: string, { localMs, time, bids, asks }: RecordedBook): void {
    this.#add(symbol, 'depth', localMs, [time, sideText(bids), sideText(asks)])
    const [bid, ask] = [bids[0], asks[0]]
    if (bid !== undefined && ask !== undefined) this.#add(symbol, 'top', localMs, [time, 0, ...bid, ...ask])
  }

  /** Adds mark price, index price and funding rate of a contract. */
  index(symbol: string, { localMs, time, mark, index, fundingRate }: RecordedIndex): void {
    this.#add(symbol, 'index', localMs, [time, mark, index, fundingRate])
  }

  /** Adds a span of which rows are missing. */
  gap(symbol: string, { localMs, from, until, reason }: RecordedGap): void {
    this.#add(symbol, 'gaps', localMs, [from, until, `"${reason.replaceAll('"', "'")}"`])
  }

  /** Appends everything added so far to the files. */
  flush(): void {
    for (const { file } of this.#files.values()) file.flush()
  }

  /** Flushes; the recorder may be used on. */
  close(): void {
    this.flush()
    this.#files.clear()
  }

  #add(symbol: string, kind: TickKind, localMs: number, fields: readonly (string | number)[]): void {
    this.#fileOf(symbol, kind, localMs).add([this.stamp(localMs), ...fields])
  }

  #fileOf(symbol: string, kind: TickKind, localMs: number): TickFile {
    const key = `${symbol} ${kind}`
    const day = utcText(localMs).slice(0, 10)
    const open = this.#files.get(key)
    if (open?.day === day) return open.file
    open?.file.flush()
    const folder = join(this.#folder, marketPath({ venue: this.#venue, symbol }), 'ticks')
    makePrivateFolder(folder)
    const file = new TickFile(join(folder, `${day}.${kind}.csv`), TICK_HEADERS[kind])
    this.#files.set(key, { day, file })
    return file
  }
}

function sideText(levels: readonly RecordedLevel[]): string {
  return levels.map(([price, quantity]) => `${price}:${quantity}`).join(' ')
}

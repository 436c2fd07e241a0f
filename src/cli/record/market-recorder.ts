import { join } from 'node:path'
import { utcText } from '../../domain/market-data/civil-date.ts'
import type { ExchangeDepthLevel } from '../../exchange/spot/depth.ts'
import { lastRecordedAt } from '../../klines/record/last-recorded.ts'
import type { TickRecorder } from '../../klines/record/tick-recorder.ts'
import { marketPath } from '../../klines/store/series-name.ts'
import type { DataRefused, MarketEvent } from '../../market/market-event.ts'

/** A symbol to record, and where. */
export interface RecordedSymbol {
  readonly symbol: string
  /** Folder of the store. */
  readonly venue: string
  readonly recorder: TickRecorder
}

/** Options of a market recorder. */
export interface MarketRecorderOptions {
  readonly store: string
  readonly symbols: readonly RecordedSymbol[]
  /** Time between two reads, ms. */
  readonly everyMs: number
  /** Estimated exchange time, ms UTC. */
  now(): number
  /** Takes a sentence about what is missing. */
  onGap(sentence: string): void
}

/** Rows recorded of a symbol. */
export interface RecordedCounts {
  trades: number
  books: number
  indexPrices: number
  gaps: number
}

/** State of one symbol. */
interface Recording extends RecordedSymbol {
  readonly counts: RecordedCounts
  /** Time of the last row of an earlier run, ms UTC, until the first book of this one has closed that gap. */
  before: number | undefined
  /** Begin of the silence of each stream that is silent, ms UTC. */
  readonly silentSince: Map<string, number>
  /** Time of the latest trade and of the latest book, ms UTC: times of a host may go back, recorded ones do not. */
  tradeMs: number
  bookMs: number
}

/** Records market events, and writes down every span of which something is missing. */
export class MarketRecorder {
  readonly #options: MarketRecorderOptions
  readonly #recordings: ReadonlyMap<string, Recording>
  #lastMs = 0

  constructor(options: MarketRecorderOptions) {
    this.#options = options
    this.#recordings = new Map(
      options.symbols.map(symbol => [symbol.symbol, recordingOf(options.store, symbol)] as const),
    )
  }

  /** Rows recorded so far, by symbol. */
  get counts(): ReadonlyMap<string, RecordedCounts> {
    return new Map([...this.#recordings].map(([symbol, { counts }]) => [symbol, counts]))
  }

  /** Records an event; throws the error of the file system if it cannot be written. */
  record(event: MarketEvent): void {
    if (event.type === 'stale' || event.type === 'fresh') this.#noteSilence(event)
    else if (event.type === 'refused') this.#noteRefused(event)
    else if ('symbol' in event) this.#recordOf(event)
  }

  /** Writes down the silences that are not over. */
  end(): void {
    for (const recording of this.#recordings.values())
      for (const [stream, since] of recording.silentSince)
        this.#noteSpan(recording, since, this.#now(), silence(stream))
  }

  #recordOf(event: Extract<MarketEvent, { readonly symbol: string }>): void {
    const recording = this.#recordings.get(event.symbol)
    if (recording === undefined) return
    const { recorder, counts, symbol } = recording
    const localMs = this.#now()
    if (event.type === 'trade') {
      const { id, price, quantity, side } = event.trade
      recording.tradeMs = Math.max(recording.tradeMs, event.trade.time)
      const time = recording.tradeMs
      recorder.trades(symbol, [
        { localMs, time, id, price: price.toFixed(), quantity: quantity.toFixed(), side },
      ])
      counts.trades++
    } else if (event.type === 'depth') {
      this.#noteRestart(recording)
      const { bids, asks, time = localMs } = event.depth
      // An old copy of the book tells nothing.
      if (time < recording.bookMs) return
      recording.bookMs = time
      recorder.book(symbol, { localMs, time, bids: levelsOf(bids), asks: levelsOf(asks) })
      counts.books++
    } else if (event.type === 'indexPrice') {
      const { markPrice, indexPrice, nextFundingRate, lastFundingRate, time = localMs } = event.indexPrice
      recorder.index(symbol, {
        ...{ localMs, time, mark: markPrice.toFixed(), index: indexPrice.toFixed() },
        fundingRate: (nextFundingRate ?? lastFundingRate).toFixed(),
      })
      counts.indexPrices++
    } else if (event.type === 'tradesMissed') {
      this.#noteSpan(
        recording,
        event.after.time,
        event.before.time,
        'More trades happened between two reads than one answer holds.',
      )
    }
  }

  /** The recorder knows nothing of the time between two runs, nor of trades before its first two reads. */
  #noteRestart(recording: Recording): void {
    const { before } = recording
    recording.before = undefined
    if (before !== undefined)
      this.#noteSpan(
        recording,
        before,
        this.#now() + 2 * this.#options.everyMs,
        'The recorder was not running.',
      )
  }

  /** Trades of a silence come with the next answer, or are reported as missed. */
  #noteSilence(event: Extract<MarketEvent, { readonly type: 'stale' | 'fresh' }>): void {
    const recording = this.#recordingOf(event.stream)
    if (recording === undefined || event.stream.includes(' trades ')) return
    const now = this.#now()
    if (event.type === 'stale') {
      recording.silentSince.set(event.stream, now - event.ageMs)
      return
    }
    recording.silentSince.delete(event.stream)
    this.#noteSpan(recording, now - event.ageMs, now, silence(event.stream))
  }

  /** An impossible trade is missing for ever; a book is followed by the next one, or by a silence. */
  #noteRefused({ stream, reason }: DataRefused): void {
    const recording = this.#recordingOf(stream)
    if (recording === undefined || !stream.includes(' trades ')) return
    const now = this.#now()
    this.#noteSpan(recording, now - this.#options.everyMs, now, reason)
  }

  #recordingOf(stream: string): Recording | undefined {
    return [...this.#recordings.values()].find(({ symbol }) => stream.endsWith(` ${symbol}`))
  }

  #noteSpan({ symbol, recorder, counts }: Recording, from: number, until: number, reason: string): void {
    recorder.gap(symbol, { localMs: this.#now(), from, until, reason })
    counts.gaps++
    this.#options.onGap(`${symbol} lacks ${utcText(from)} to ${utcText(until)}: ${reason}`)
  }

  /** The estimate of the exchange's time may go back; recorded times do not. */
  #now(): number {
    this.#lastMs = Math.max(this.#lastMs, Math.round(this.#options.now()))
    return this.#lastMs
  }
}

function recordingOf(store: string, recorded: RecordedSymbol): Recording {
  return {
    ...recorded,
    counts: { trades: 0, books: 0, indexPrices: 0, gaps: 0 },
    before: lastRecordedAt(join(store, marketPath(recorded), 'ticks')),
    silentSince: new Map(),
    tradeMs: 0,
    bookMs: 0,
  }
}

function levelsOf(levels: readonly ExchangeDepthLevel[]) {
  return levels.map(({ price, quantity }) => [price.toFixed(), quantity.toFixed()] as const)
}

function silence(stream: string): string {
  return `Nothing came of ${stream}.`
}

import { closeTimeOf, type Interval } from './interval.ts'
import type { Kline } from './kline.ts'
import { compareKlineCloses, type KlineClose } from './kline-order.ts'

/** One stream of klines in a merge. */
export interface MergedStream {
  readonly interval: Interval
  /** Open time of the latest kline emitted before the merge, ms UTC. */
  readonly after: number
}

/** A kline in merged order. */
export interface MergedKline {
  /** Index of its stream among the declared streams. */
  readonly rank: number
  readonly kline: Kline
}

/** Longest wait of a kline for those that come before it. */
export interface KlineMergeOptions {
  /** ms after its arrival; infinite in a backtest, where no kline is late. */
  readonly waitMs: number
}

interface Waiting extends KlineClose, MergedKline {
  readonly arrivedAt: number
}

interface Progress {
  readonly interval: Interval
  readonly waiting: Waiting[]
  /** Close time of the next kline that can still arrive. */
  nextClose: number
  /**
   * True after a wait for its kline timed out: the merge does not wait for it again before it has caught up.
   */
  isLate: boolean
}

/**
 * Merges several streams of klines, each in order, into the order of `compareKlineCloses`. A kline waits
 * until no stream can still bring an earlier one, at most `waitMs`; earlier ones that arrive afterwards are
 * emitted at once, late. The caller supplies the time.
 */
export class KlineMerge {
  readonly #streams: readonly Progress[]
  readonly #waitMs: number
  /** Close time of the latest emitted kline. */
  #shownUntil = Number.NEGATIVE_INFINITY

  constructor(streams: readonly MergedStream[], { waitMs }: KlineMergeOptions) {
    this.#waitMs = waitMs
    this.#streams = streams.map(({ interval, after }) => ({
      interval,
      waiting: [],
      nextClose: closeAfter(after, interval),
      isLate: false,
    }))
  }

  /** Adds a kline of the stream at `rank` at `now`, ms UTC; its klines come in order, possibly with gaps. */
  offer(rank: number, kline: Kline, now: number): void {
    const stream = this.#streams[rank]
    if (stream === undefined) return
    const { interval } = stream
    const closeTime = closeTimeOf(kline.openTime, interval)
    stream.waiting.push({ rank, interval, closeTime, kline, arrivedAt: now })
    stream.nextClose = closeTimeOf(closeTime, interval)
  }

  /** Removes and returns, in order, the klines that are due at `now`, ms UTC. */
  take(now: number): readonly MergedKline[] {
    const shown: MergedKline[] = []
    for (let next = this.#first(); next !== undefined && this.#mayShow(next, now); next = this.#first()) {
      this.#streams[next.rank]?.waiting.shift()
      this.#shownUntil = Math.max(this.#shownUntil, next.closeTime)
      shown.push({ rank: next.rank, kline: next.kline })
    }
    for (const stream of this.#streams) {
      if (stream.nextClose > this.#shownUntil) stream.isLate = false
    }
    return shown
  }

  #first(): Waiting | undefined {
    let first: Waiting | undefined
    for (const { waiting } of this.#streams) {
      const [head] = waiting
      if (head !== undefined && (first === undefined || compareKlineCloses(head, first) < 0)) first = head
    }
    return first
  }

  #mayShow(kline: Waiting, now: number): boolean {
    const isOver = now >= kline.arrivedAt + this.#waitMs
    let mayShow = true
    for (const [rank, stream] of this.#streams.entries()) {
      const { nextClose: closeTime, interval, isLate } = stream
      if (isLate || compareKlineCloses({ closeTime, interval, rank }, kline) > 0) continue
      if (isOver) stream.isLate = true
      else mayShow = false
    }
    return mayShow
  }
}

function closeAfter(openTime: number, interval: Interval): number {
  return closeTimeOf(closeTimeOf(openTime, interval), interval)
}

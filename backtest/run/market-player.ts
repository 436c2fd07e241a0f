import { closeTimeOf, type Interval } from '../../src/domain/market-data/interval.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { KlineRow } from '../../src/domain/market-data/kline-series.ts'
import { type KlineColumns, klineAt } from '../../src/klines/kline-columns.ts'
import type { PlayedMarket } from '../fills/played-market.ts'
import { BLOCK } from './kline-blocks.ts'
import type { Replay } from './replay.ts'

/**
 * Plays the klines of one market, one event at a time: the open of a kline if orders rest, and its close. With recorded
 * ticks orders meet these instead.
 */
export class MarketPlayer {
  readonly replay: Replay
  readonly klines: KlineColumns
  readonly #interval: Interval
  readonly #announces: boolean
  /** Row of the next event's kline. */
  #row = 0
  #announcedTo = 0
  /** The kline that was opened and has not closed. */
  #kline: KlineRow | undefined
  /** When the next event happens, ms UTC; infinite at the end of the data. */
  nextTime = Number.POSITIVE_INFINITY
  /** True if the next event is the open of a kline, false if it is a close. */
  isOpening = false

  /** `announces`: true if indicators may compute blocks of klines ahead. */
  constructor(
    replay: Replay,
    { klines, interval }: Pick<PlayedMarket, 'klines' | 'interval'>,
    announces: boolean,
  ) {
    this.replay = replay
    this.klines = klines
    this.#interval = interval
    this.#announces = announces
    this.#await()
  }

  /** Klines that have closed. */
  get played(): number {
    return this.#row
  }

  /** The kline that closed last; with recorded ticks as of its end, since fills lie inside it. */
  get latest(): Kline {
    const latest = klineAt(this.klines, this.#row - 1)
    if (this.replay.market.tickModel === undefined) return latest
    return { ...latest, openTime: closeTimeOf(latest.openTime, this.#interval) - 1 }
  }

  /**
   * Lets orders trade at the open of the kline that begins at `time` (ms UTC), if there is one: orders that
   * wait for it, and orders that events of other markets have caused at this moment. Returns true if any did.
   */
  openAt(time: number): boolean {
    if (this.replay.market.consumeOrdersOfOthers()) {
      if (this.#kline?.openTime === time) {
        this.replay.openAgain(this.#kline)
        return true
      }
      if (this.#kline === undefined && (this.klines.openTime[this.#row] ?? Number.NaN) >= time) this.#await()
    }
    if (this.nextTime !== time || !this.isOpening) return false
    this.#open()
    return true
  }

  #open(): void {
    this.#kline = new KlineRow(this.klines, this.#row)
    this.replay.open(this.#kline)
    this.isOpening = false
    this.nextTime = closeTimeOf(this.nextTime, this.#interval)
  }

  /** Lets orders trade inside the kline that closes next, where it was opened. */
  walk(): void {
    if (this.#kline !== undefined) this.replay.walk(this.#kline)
  }

  /** Values the instrument at the close of the kline that closes next. */
  mark(): void {
    this.replay.mark(this.klines.close[this.#row] as number) // the row of the next event
  }

  /** Shows the kline that closes next to the strategy. */
  close(): void {
    if (this.#announces && this.#row === this.#announcedTo) {
      this.#announcedTo = Math.min(this.#row + BLOCK, this.klines.length)
      this.replay.announce(this.klines, this.#row, this.#announcedTo)
    }
    this.replay.close(this.#kline ?? new KlineRow(this.klines, this.#row))
    this.#kline = undefined
    this.#row++
    this.#await()
  }

  /**
   * Without resting orders, the open of a kline has no effect, and no order can be placed before its close. With
   * recorded ticks it never has.
   */
  #await(): void {
    if (this.#row === this.klines.length) {
      this.nextTime = Number.POSITIVE_INFINITY
      return
    }
    const openTime = this.klines.openTime[this.#row] as number // a row
    this.isOpening = this.replay.market.tickModel === undefined && this.replay.mayTrade
    this.nextTime = this.isOpening ? openTime : closeTimeOf(openTime, this.#interval)
  }
}

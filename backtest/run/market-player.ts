import { closeTimeOf, type Interval } from '../../src/domain/market-data/interval.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { type KlineCursor, KlineRow } from '../../src/domain/market-data/kline-series.ts'
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
  readonly #hasTicks: boolean
  readonly #announces: boolean
  /** At the row of the next event's kline. */
  readonly #cursor: KlineCursor
  #announcedTo = 0
  readonly #looksAhead: boolean
  /** The row from which it is asked again whether an order may trade. */
  #quietUntil = 0
  /** The kline that was opened and has not closed. */
  #kline: KlineRow | undefined
  /** When the next event happens, ms UTC; infinite at the end of the data. */
  nextTime = Number.POSITIVE_INFINITY
  /** True if the next event is the open of a kline, false if it is a close. */
  isOpening = false

  /**
   * `announces`: true if indicators may compute blocks of klines ahead. `looksAhead`: true if orders come only with opens and
   * closes of klines, so that those that no order reaches need not be opened.
   */
  constructor(
    replay: Replay,
    { klines, interval }: Pick<PlayedMarket, 'klines' | 'interval'>,
    announces: boolean,
    looksAhead: boolean,
  ) {
    this.replay = replay
    this.klines = klines
    this.#interval = interval
    this.#hasTicks = replay.market.tickModel !== undefined
    this.#announces = announces
    this.#looksAhead = looksAhead
    this.#cursor = { klines, next: 0 }
    this.#await()
  }

  /** Klines that have closed. */
  get played(): number {
    return this.#cursor.next
  }

  /** The kline that closed last. */
  get latest(): Kline {
    return klineAt(this.klines, this.played - 1)
  }

  /** Close time of a kline, ms UTC. */
  closeTime(row: number): number {
    return closeTimeOf(this.klines.openTime[row] as number, this.#interval) // a row
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
      const openTime = this.klines.openTime[this.played] ?? Number.NaN
      if (this.#kline === undefined && openTime >= time) this.#await()
      // Inside a kline that was passed so far, so that finer ones inside it may trade the rest of it.
      else if (this.#kline === undefined && openTime < time && !this.#hasTicks) this.#open(openTime)
    }
    if (this.nextTime !== time || !this.isOpening) return false
    this.#open(time)
    return true
  }

  #open(openTime: number): void {
    this.#kline = new KlineRow(this.klines, this.played)
    this.replay.open(this.#kline)
    this.isOpening = false
    this.nextTime = closeTimeOf(openTime, this.#interval)
  }

  /** True if its next event is the close of a kline at `time`, ms UTC. */
  closesAt(time: number): boolean {
    return this.nextTime === time && !this.isOpening
  }

  /** Lets orders trade inside the kline that closes next, where it was opened. */
  walk(): void {
    if (this.#kline !== undefined) this.replay.walk(this.#kline)
  }

  /** Values the instrument at the close of the kline that closes next. */
  mark(): void {
    this.replay.mark(this.klines.close[this.played] as number) // the row of the next event
  }

  /** Shows the kline that closes next to the strategy. */
  close(): void {
    const row = this.#cursor.next
    if (this.#announces && row === this.#announcedTo) {
      this.#announcedTo = Math.min(row + BLOCK, this.klines.length)
      this.replay.announce(this.klines, row, this.#announcedTo)
    }
    const hadOutputs = this.replay.closeNext(this.#cursor)
    const hadOrders = this.#kline !== undefined || this.#hasTicks
    this.#kline = undefined
    const { next } = this.#cursor
    // Mostly nothing has happened, and the next kline closes next.
    if (hadOutputs || hadOrders || next === this.#quietUntil) this.#await()
    else this.nextTime = closeTimeOf(this.klines.openTime[next] as number, this.#interval) // a row
  }

  /**
   * Where no order may trade, the open of a kline has no effect, and no order can be placed before its close. With
   * recorded ticks it never has.
   */
  #await(): void {
    const { mayTrade } = this.replay
    const row = this.played
    const { length } = this.klines
    if (row === length || mayTrade) this.replay.settle()
    if (row === length) {
      this.nextTime = Number.POSITIVE_INFINITY
      return
    }
    this.#quietUntil = mayTrade && !this.#hasTicks ? this.#outOfReachUntil(row) : length
    this.isOpening = this.#quietUntil === row
    const openTime = this.klines.openTime[row] as number // a row
    this.nextTime = this.isOpening ? openTime : closeTimeOf(openTime, this.#interval)
  }

  #outOfReachUntil(row: number): number {
    return this.#looksAhead ? this.replay.outOfReachUntil(this.klines, row, this.klines.length) : row
  }
}

import { closeTimeOf, type Interval } from '../../src/domain/market-data/interval.ts'
import { KlineRow, type KlineSeries } from '../../src/domain/market-data/kline-series.ts'
import { topAt, tradeAt } from '../../src/klines/formats/read-tick-file.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import { firstRowAtOrAfter } from '../../src/klines/row-search.ts'
import type { KnownTop } from '../fills/known-top.ts'
import type { TickData } from '../ticks/tick-data.ts'
import type { TickFeeds } from '../ticks/tick-feeds.ts'
import type { Replay } from './replay.ts'

export interface TickPlayerOptions {
  readonly replay: Replay
  readonly top: KnownTop
  readonly ticks: TickData
  /** The klines that the trades make. */
  readonly klines: KlineColumns
  readonly interval: Interval
  /** Feeds of the strategy besides klines. */
  readonly feeds: TickFeeds
}

/**
 * Plays recorded trades and best prices strictly in order of time, those before trades of the same time last, and closes the
 * klines that the trades make. An order trades at the first of them after it became live.
 */
export class TickPlayer {
  readonly #options: TickPlayerOptions
  /** Trades as klines that end as soon as they begin. */
  readonly #trades: KlineSeries
  #nextTrade: number
  #nextTop: number

  constructor(options: TickPlayerOptions) {
    this.#options = options
    const { trades, tops } = options.ticks
    const { time, price, quantity } = trades
    this.#trades = { openTime: time, open: price, high: price, low: price, close: price, volume: quantity }
    const start = options.klines.openTime[0] ?? Number.POSITIVE_INFINITY
    this.#nextTrade = firstRowAtOrAfter(time, start)
    this.#nextTop = tops === undefined ? 0 : firstRowAtOrAfter(tops.time, start)
    this.#knowTop()
    if (options.top.latest !== undefined) options.feeds.observeTop(options.top.latest)
  }

  /** Plays the trades of a row's kline, and closes it; returns the next row. */
  playRow(row: number): number {
    const { replay, klines, interval, feeds } = this.#options
    const end = closeTimeOf(klines.openTime[row] as number, interval) // a row
    if (replay.mayTrade || !feeds.areNone) this.#playUntil(end)
    else this.#skipUntil(end)
    replay.close(new KlineRow(klines, row))
    return row + 1
  }

  #playUntil(end: number): void {
    for (;;) {
      const trade = this.#tradeTime
      const top = this.#topTime
      const next = Math.min(trade, top)
      // Feeds due at the very end are shown after the kline.
      this.#options.feeds.emitDue(Math.min(next, end - 1))
      if (next >= end) return
      if (trade <= top) this.#playTrade()
      else this.#playTop()
    }
  }

  /** No order rests, and none can be placed before the kline closes. */
  #skipUntil(end: number): void {
    const { trades, tops } = this.#options.ticks
    this.#nextTrade = firstRowAtOrAfter(trades.time, end)
    if (tops !== undefined) this.#nextTop = firstRowAtOrAfter(tops.time, end)
    this.#knowTop()
  }

  #playTrade(): void {
    const { replay, feeds, ticks } = this.#options
    const row = this.#nextTrade++
    replay.tick(new KlineRow(this.#trades, row))
    this.#options.top.lastTrade = this.#trades.close[row] as number // played, hence a row
    if (!feeds.areNone) feeds.observeTrade(tradeAt(ticks.trades, row))
  }

  /**
   * The book has moved: at the last trade's price, since no trade happened, and with the quantity of its
   * thinner side.
   */
  #playTop(): void {
    const { replay, top, feeds } = this.#options
    this.#nextTop++
    this.#knowTop()
    if (top.latest !== undefined) feeds.observeTop(top.latest)
    const price = top.lastTrade
    if (top.latest === undefined || Number.isNaN(price)) return
    const { time, bidQuantity, askQuantity } = top.latest
    const volume = Math.min(bidQuantity, askQuantity)
    top.isMove = true
    replay.tick({ openTime: time, open: price, high: price, low: price, close: price, volume })
    top.isMove = false
  }

  #knowTop(): void {
    const { top, ticks } = this.#options
    top.lastTrade = this.#trades.close[this.#nextTrade - 1] ?? Number.NaN
    if (ticks.tops !== undefined && this.#nextTop > 0) top.latest = topAt(ticks.tops, this.#nextTop - 1)
  }

  get #tradeTime(): number {
    return this.#trades.openTime[this.#nextTrade] ?? Number.POSITIVE_INFINITY
  }

  get #topTime(): number {
    return this.#options.ticks.tops?.time[this.#nextTop] ?? Number.POSITIVE_INFINITY
  }
}

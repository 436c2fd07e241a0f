import { rulesOf } from '../../src/domain/account-rules.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { closeTimeOf, type Interval } from '../../src/domain/market-data/interval.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import type { PlayedMarket } from '../fills/played-market.ts'
import { markCloses } from '../futures/mark-klines.ts'
import type { Replay } from './replay.ts'

/** Plays the klines of the only market of a run: stretches on which nothing but its strategy acts in one loop. */
export class StretchPlayer {
  readonly replay: Replay
  readonly klines: KlineColumns
  readonly instrument: Instrument
  readonly interval: Interval
  /** The prices by which equity counts: those of the mark price, where there are some. */
  readonly closes: Float64Array
  readonly #owesBase: boolean
  #played = 0

  constructor(replay: Replay, { klines, interval, instrument, futures }: PlayedMarket) {
    this.replay = replay
    this.klines = klines
    this.instrument = instrument
    this.interval = interval
    this.closes = futures?.mark === undefined ? klines.close : markCloses(klines, interval, futures.mark)
    // An account that can owe must not see the kline after; contracts are only liquidated on the first of a
    // stretch.
    this.#owesBase = rulesOf(instrument).owesBase
  }

  /** Klines that have closed. */
  get played(): number {
    return this.#played
  }

  /** Plays the next rows, up to the first with an effect, or to `to - 1`. */
  play(to: number): void {
    const row = this.#played
    this.#played = this.replay.playRows(this.klines, row, this.#owesBase ? row + 1 : to)
  }

  /** Close time of a kline, ms UTC. */
  closeTime(row: number): number {
    return closeTimeOf(this.klines.openTime[row] as number, this.interval) // a row
  }
}

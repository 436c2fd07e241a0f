import { closeTimeOf, type Interval } from '../domain/market-data/interval.ts'
import type { Kline } from '../domain/market-data/kline.ts'

/** A kline of a stream, with its interval and close time. It may be kept, because it never changes. */
export interface ClosedKline extends Kline {
  readonly interval: Interval
  /** First ms (UTC) after the kline: the time from which it is known. */
  readonly closeTime: number
}

export function closedKline(kline: Kline, interval: Interval): ClosedKline {
  return new TimedKline(kline, interval)
}

/** Reads the kline in place, so that emitting it copies no numbers. */
class TimedKline implements ClosedKline {
  readonly interval: Interval
  readonly #kline: Kline

  constructor(kline: Kline, interval: Interval) {
    this.#kline = kline
    this.interval = interval
  }

  get closeTime(): number {
    return closeTimeOf(this.#kline.openTime, this.interval)
  }

  get openTime(): number {
    return this.#kline.openTime
  }

  get open(): number {
    return this.#kline.open
  }

  get high(): number {
    return this.#kline.high
  }

  get low(): number {
    return this.#kline.low
  }

  get close(): number {
    return this.#kline.close
  }

  get volume(): number {
    return this.#kline.volume
  }
}

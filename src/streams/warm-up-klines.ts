import type { Kline } from '../domain/market-data/kline.ts'
import type { Indicator } from '../indicators/indicator.ts'

/** Receives a kline without a decision. */
type OnKline = (kline: Kline) => void

/**
 * Detects klines on which the strategy makes no decision: those of its warm-up, and those from before a
 * restart. Its feeders are updated as the first indicators, by every kline; so if a kline arrives and the
 * previous one brought no decision, the other indicators still have their values at the previous one.
 */
export class WarmUpKlines {
  #latest: Kline | undefined
  #onLatest: OnKline | undefined

  /** An indicator that detects the klines of one stream, the strategy's own or a feed's. */
  feeder(onKline: OnKline): Indicator<undefined> {
    return {
      requiredKlines: 0,
      value: undefined,
      previous: undefined,
      update: kline => {
        this.settle()
        this.#latest = kline
        this.#onLatest = onKline
      },
    }
  }

  /** The strategy decides on the latest kline now. */
  take(): void {
    this.#latest = undefined
  }

  /** Reports the latest kline: no decision will be made on it. */
  settle(): void {
    const latest = this.#latest
    if (latest === undefined) return
    this.#latest = undefined
    this.#onLatest?.(latest)
  }
}

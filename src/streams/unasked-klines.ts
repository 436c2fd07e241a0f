import type { Kline } from '../domain/market-data/kline.ts'
import type { Indicator } from '../indicators/indicator.ts'

/** Takes a kline that the strategy was not asked about. */
type OnKline = (kline: Kline) => void

/**
 * Notices the klines that a strategy is not asked about: those of its warm-up, and those from before a restart. Feeders are
 * fed as the first of the indicators, which is how every kline comes by; so when the next one comes and nobody was asked about
 * the one before, the other indicators still are where they were at that.
 */
export class UnaskedKlines {
  #latest: Kline | undefined
  #onLatest: OnKline | undefined

  /** An indicator that notices the klines of one stream, those of the strategy itself or those of a feed. */
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

  /** The strategy is being asked about the latest kline. */
  take(): void {
    this.#latest = undefined
  }

  /** Nobody will be asked about the latest kline. */
  settle(): void {
    const latest = this.#latest
    if (latest === undefined) return
    this.#latest = undefined
    this.#onLatest?.(latest)
  }
}

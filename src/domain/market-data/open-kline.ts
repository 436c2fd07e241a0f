import { DecimalSum } from '../numbers/decimal-sum.ts'
import type { Kline } from './kline.ts'

/** A longer kline that is being built. */
export class OpenKline {
  /** ms UTC. */
  readonly openTime: number
  /** True if the data begin within it, so that its open is unknown. */
  readonly isCut: boolean
  #parts = 0
  #open = Number.NaN
  #high = Number.NEGATIVE_INFINITY
  #low = Number.POSITIVE_INFINITY
  #close = Number.NaN
  readonly #volume = new DecimalSum()

  constructor(openTime: number, isCut: boolean) {
    this.openTime = openTime
    this.isCut = isCut
  }

  get parts(): number {
    return this.#parts
  }

  /** Adds the next part. */
  add({ open, high, low, close, volume }: Kline): void {
    if (this.#parts === 0) this.#open = open
    this.#parts++
    this.#high = Math.max(this.#high, high)
    this.#low = Math.min(this.#low, low)
    this.#close = close
    this.#volume.add(volume)
  }

  /** The kline of the parts so far. */
  kline(): Kline {
    return {
      openTime: this.openTime,
      open: this.#open,
      high: this.#high,
      low: this.#low,
      close: this.#close,
      volume: this.#volume.value,
    }
  }
}

import type { Kline } from '../domain/kline.ts'
import type { Indicator, KlineSource } from './indicator.ts'

/** Highest value of the last `period` klines: the upper Donchian channel, its own kline included (use `previous` to leave it out). */
export function highest(period: number, source: KlineSource = 'high'): Indicator {
  return new RollingExtreme(period, source, 1)
}

/** Lowest value of the last `period` klines: the lower Donchian channel, its own kline included (use `previous` to leave it out). */
export function lowest(period: number, source: KlineSource = 'low'): Indicator {
  return new RollingExtreme(period, source, -1)
}

/** Monotonic queue in a ring: amortised O(1), exact, because it only compares. D. Lemire, "Streaming Maximum-Minimum Filter", 2006. */
class RollingExtreme implements Indicator {
  readonly requiredKlines: number
  value = Number.NaN
  previous = Number.NaN
  readonly #source: KlineSource
  readonly #sign: 1 | -1
  readonly #values: Float64Array
  readonly #rows: Float64Array
  #head = 0
  #length = 0
  #row = 0

  constructor(period: number, source: KlineSource, sign: 1 | -1) {
    this.requiredKlines = period
    this.#source = source
    this.#sign = sign
    this.#values = new Float64Array(period)
    this.#rows = new Float64Array(period)
  }

  update(kline: Kline): void {
    const input = kline[this.#source] * this.#sign
    this.#dropExpired()
    while (this.#length > 0 && this.#at(this.#length - 1) <= input) this.#length--
    this.#push(input)
    this.#row++
    this.previous = this.value
    if (this.#row >= this.requiredKlines) this.value = this.#at(0) * this.#sign
  }

  #dropExpired(): void {
    const oldest = this.#rows[this.#head] as number // #head is always inside the ring
    if (this.#length > 0 && oldest <= this.#row - this.requiredKlines) {
      this.#head = (this.#head + 1) % this.requiredKlines
      this.#length--
    }
  }

  #at(position: number): number {
    return this.#values[(this.#head + position) % this.requiredKlines] as number // modulo keeps it inside the ring
  }

  #push(input: number): void {
    const slot = (this.#head + this.#length++) % this.requiredKlines
    this.#values[slot] = input
    this.#rows[slot] = this.#row
  }
}

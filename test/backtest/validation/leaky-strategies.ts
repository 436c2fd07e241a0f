import type { KlineSeries } from '../../../src/domain/market-data/kline-series.ts'
import { indicatorOf } from '../../../src/indicators/formula-indicator.ts'
import { defineStrategy, enterLong, exit, type Indicator, type Kline } from '../../../src/strategy/index.ts'

/** An indicator that wants to be handed klines that have not closed. */
interface Announced extends Indicator {
  handed(klines: KlineSeries, from: number, to: number): void
}

/**
 * An indicator, and beside it a formula that hands it what is announced to formulas: the worst that a strategy can do that
 * imports Sluice's internals, for nothing else is ever handed such klines.
 */
export function robbed<Peek extends Announced>(peek: Peek) {
  const compute = (klines: KlineSeries, from: number, to: number, values: Float64Array, at: number) => {
    peek.handed(klines, from, to)
    values.fill(0, at, at + to - from)
  }
  return { thief: indicatorOf({ requiredKlines: peek.requiredKlines, compute }, 'robbed'), peek }
}

/** An indicator that tells the close `ahead` klines later, as long as it was announced. */
class Peek implements Announced {
  readonly requiredKlines = 1
  previous = Number.NaN
  value = Number.NaN
  readonly #ahead: number
  #klines: KlineSeries | undefined
  #row = 0

  constructor(ahead: number) {
    this.#ahead = ahead
  }

  handed(klines: KlineSeries, from: number): void {
    this.#klines = klines
    this.#row = from
  }

  update(kline: Kline): void {
    // Behaves where there is nothing to see.
    this.value = this.#klines?.close[this.#row + this.#ahead] ?? kline.close
    this.#row++
  }
}

/** Buys before rises and sells before falls. */
export function peeking(ahead: number) {
  return defineStrategy({
    name: 'peeking',
    indicators: () => robbed(new Peek(ahead)),
    onKline: ({ close }, { indicators: { peek: later }, position }) => {
      if (position.direction === 'flat' && later.value > close) return enterLong()
      if (position.direction === 'long' && later.value < close) return exit()
    },
  })
}

/** Remembers the klines of the run before, and trades by what came next in it. */
export function remembering() {
  const closes = new Map<number, number>()
  let [runs, last] = [0, Number.NaN]
  return defineStrategy({
    name: 'remembering',
    state: () => {
      runs++
      last = Number.NaN
      return {}
    },
    onKline: ({ openTime, close }, { position }) => {
      const later = closes.get(openTime)
      closes.set(last, close)
      last = openTime
      if (runs === 1 || later === undefined) return
      if (position.direction === 'flat' && later > close) return enterLong()
      if (position.direction === 'long' && later < close) return exit()
    },
  })
}

import { closeTimeOf, type Interval } from '../../src/domain/market-data/interval.ts'
import type { Kline } from '../../src/domain/market-data/kline.ts'
import { KlineRow } from '../../src/domain/market-data/kline-series.ts'
import { InvariantError } from '../../src/domain/sluice-error.ts'
import type { KlineColumns } from '../../src/klines/kline-columns.ts'
import { firstRowAtOrAfter } from '../../src/klines/row-search.ts'

/** Finds the kline of the mark price that belongs to a traded one; mostly it is the next one. */
export class MarkKlines {
  readonly #klines: KlineColumns
  #next = 0

  constructor(klines: KlineColumns) {
    this.#klines = klines
  }

  /** The kline that opens at a time, ms UTC; throws `InvariantError` without one. */
  at(openTime: number): Kline {
    const { openTime: times } = this.#klines
    const row = times[this.#next] === openTime ? this.#next : firstRowAtOrAfter(times, openTime)
    if (times[row] !== openTime) throw new InvariantError(`No kline of the mark price opens at ${openTime}.`)
    this.#next = row + 1
    return new KlineRow(this.#klines, row)
  }
}

/** The mark price at the close of every kline of `interval`: the last known one before it. */
export function markCloses({ openTime }: KlineColumns, interval: Interval, mark: KlineColumns): Float64Array {
  let row = 0
  return openTime.map(time => {
    const end = closeTimeOf(time, interval)
    while ((mark.openTime[row + 1] ?? Number.POSITIVE_INFINITY) < end) row++
    return mark.close[row] ?? Number.NaN
  })
}
